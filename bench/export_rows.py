"""What writing recordings for other programs costs."""
from rows import Row, Target

REPORT = "{perf} report -i {input} --"
SCRIPT = "{perf} script -i {input}"  # what other tools' importers would have to parse

INSTEAD = "; the reference: script alone, whose text an importer would still have to read"
FAST = (Target("rate", at_least=1),)

ROWS = [
    *[Row(name, REPORT + f"{option} {{dir}}/export.out", about + INSTEAD, input="fp-128", instead=SCRIPT, rounds=2, targets=FAST)
      for name, option, about in (
          ("html", "html", "a page"),
          ("pprof", "pprof", "a profile"),
          ("export-firefox", "firefox", "a profile with each sample's time"),
          ("export-speedscope", "speedscope", "a profile with each sample's time"),
          ("export-chrome", "chrome", "trace events"),
          ("export-perfetto", "perfetto", "a trace"),
          ("export-callgrind", "callgrind", "a profile"))],
    Row("export-json", REPORT + "json", "the report as JSON" + INSTEAD, input="fp-128", instead=SCRIPT, rounds=2, targets=FAST),
    Row("convert-json", "{perf} data convert -f -i {input} --to-json {dir}/convert.json", "64 MB with call chains",
        input="fp-64", targets=FAST),
    Row("convert-ctf", "{perf} data convert -f -i {input} --to-ctf {dir}/convert.ctf", "64 MB with call chains",
        input="fp-64", rounds=1, targets=FAST),
    Row("convert-sqlite", "{perf} data convert -f -i {input} --to-sqlite {dir}/convert.db", "64 MB with call chains; the "
        "reference: JSON", input="fp-64", rounds=1, targets=FAST,
        instead="{perf} data convert -f -i {input} --to-json {dir}/convert.json"),
]
