//! Training rows and manifests (Arrow and Parquet).
