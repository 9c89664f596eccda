"""Takes the CPU part of libtorch out of the downloaded packages: unpack_libtorch.py WHEELS OUT."""

import os
import pathlib
import shutil
import sys
import zipfile

# From torch: headers, and what a CPU program loads. From NVIDIA: what libtorch_cpu.so asks for by name even where
# no GPU is used.
TORCH_LIBRARIES = {"libtorch_cpu.so", "libc10.so", "libgomp.so.1", "libshm.so"}
NVIDIA_LIBRARIES = {"libcudart.so.13", "libcupti.so.13"}


def wanted(member):
    """Where a packed file goes, or None."""
    name = member.rsplit("/", 1)[-1]
    if member.startswith("torch/include/") and not member.endswith("/"):
        return member[len("torch/") :]
    if member == f"torch/lib/{name}" and name in TORCH_LIBRARIES:
        return f"lib/{name}"
    if member.startswith("nvidia/") and name in NVIDIA_LIBRARIES:
        return f"lib/{name}"
    return None


def main():
    wheels, out = (pathlib.Path(argument) for argument in sys.argv[1:3])
    found = set()
    for wheel in sorted(wheels.glob("*.whl")):
        with zipfile.ZipFile(wheel) as archive:
            for member in archive.namelist():
                place = wanted(member)
                if place is None or ".." in pathlib.PurePosixPath(place).parts:
                    continue
                path = out / place
                path.parent.mkdir(parents=True, exist_ok=True)
                with archive.open(member) as source, open(path, "wb") as target:
                    shutil.copyfileobj(source, target, 1 << 20)
                found.add(place)
    missing = {f"lib/{name}" for name in TORCH_LIBRARIES | NVIDIA_LIBRARIES} - found
    if missing:
        sys.exit(f"the packages lack {', '.join(sorted(missing))}")
    # torch-sys links -ltorch, which in the package pulls in CUDA; this stands in for it.
    (out / "lib/libtorch.so").write_text("INPUT ( libtorch_cpu.so )\n")
    for library in (out / "lib").iterdir():
        os.chmod(library, 0o755)


main()
