Route #1: 11 1 4
Route #2: 8 9 13 15 2 5
Route #3: 3 12 17 20 6 18
Route #4: 10 19
Route #5: 7 16 14
Cost 6180
