# what zsh makes of a line at TAB
python3 "$DATA/../shells.py" zsh
