"""Read TOML files, and write folders and tables."""
