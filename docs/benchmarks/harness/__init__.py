"""What experiments are made of: cases, runs, tables, pages."""
