"""What knows no problem: errors, the clock, processes, files, HiGHS."""
