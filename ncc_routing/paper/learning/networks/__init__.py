"""The two architectures, one file each."""
