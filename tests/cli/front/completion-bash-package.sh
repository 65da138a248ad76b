# the same with the package
python3 "$DATA/../shells.py" bash-package
