"""What people bring: tables, VROOM's JSON, words of five languages."""
