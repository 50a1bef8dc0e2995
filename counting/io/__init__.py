"""Files in and out: reads TOML, writes folders and tables."""
