//! Each file of `tests/absent` uses something that [`referee::Truth`] must never offer, beside a use that is
//! allowed. It has to be refused by the compiler, and for the expected reason.

#[test]
fn what_a_truth_must_not_offer_does_not_compile() {
    let cases = trybuild::TestCases::new();
    cases.pass("tests/absent/allowed.rs");
    cases.compile_fail("tests/absent/clone.rs");
    cases.compile_fail("tests/absent/debug.rs");
    cases.compile_fail("tests/absent/state_field.rs");
    cases.compile_fail("tests/absent/state_accessor.rs");
    cases.compile_fail("tests/absent/as_state.rs");
    cases.compile_fail("tests/absent/into_world.rs");
    cases.compile_fail("tests/absent/sample_from_truth.rs");
}
