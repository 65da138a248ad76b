# what fish makes of a line at TAB
python3 "$DATA/../shells.py" fish
