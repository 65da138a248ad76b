"""The first screen of an annotated function of a program of 120 MB, nearly all of it debug information."""
from rows import Row, Target

ABOUT = "a function of a program of 120 MB"
SHOWN = "sh -c '%sXDG_CACHE_HOME={dir}/annotate-cache exec {perf} annotate --stdio -s run7 -i {input}'"

ROWS = [
    Row("annotate", SHOWN % "rm -rf {dir}/annotate-cache; ", ABOUT, input="large", rounds=3, targets=(Target("cpu", x=1 / 10),)),
    Row("annotate-again", SHOWN % "", ABOUT + ", from the cache", input="large", rounds=3, targets=(Target("cpu", x=1 / 50),)),
]
