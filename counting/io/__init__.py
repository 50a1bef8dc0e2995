"""Files in and out: TOML that is read, folders and tables that are written."""
