# each page names the options, words and variables that there are, and no others; says what differs
python3 "$DATA/../manual.py"
