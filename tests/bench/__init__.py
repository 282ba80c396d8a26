"""The benchmarks of `make bench`: each figure a ratio against something measured in the same run."""
