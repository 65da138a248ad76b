"""What came of the tests: lines of TAP counted, and the page at the end."""
import re
import sys

SHOWN = 60  # lines of a failure


class Tally:
    def __init__(self):
        self.passed, self.failed, self.skipped = 0, [], []
        self.cells = {}  # (guest, test) -> [passed, failed, skipped]
        self.guests = {}  # name -> what is told about it

    def count(self, guest, test, what):
        self.cells.setdefault((guest, test), [0, 0, 0])[what] += 1

    def ok(self, guest, test):
        self.passed += 1
        self.count(guest, test, 0)

    def skip(self, guest, test, name, why):
        self.skipped.append((name, why))
        self.count(guest, test, 2)

    def fail(self, guest, test, name, lines):
        self.failed.append(name)
        self.count(guest, test, 1)
        print("FAIL " + name)
        for line in lines[-SHOWN:]:
            print("     " + line)
        sys.stdout.flush()

    def add(self, guest, test, lines, status):
        """Lines of TAP count each; a script that says none is one test. A .host counts with its .sh."""
        row = test.rsplit(".", 1)[0]
        seen, notes, bad = 0, [], 0
        for line in lines:
            if m := re.match(r"(not )?ok \d+ - (.*?)(?: # SKIP (.*))?$", line):
                seen += 1
                name = f"{guest} {test}: {m[2]}"
                if m[3]:
                    self.skip(guest, row, name, m[3])
                elif m[1]:
                    bad += 1
                    self.fail(guest, row, name, notes)
                else:
                    self.ok(guest, row)
                notes = []
            else:
                notes.append(line)
        if status == 77 and not seen:
            self.skip(guest, row, f"{guest} {test}", lines[-1] if lines else "no output")
        elif (status and not bad) or not seen:
            self.fail(guest, row, f"{guest} {test}", notes + [f"exit status {status}"])

    def cell(self, guest, test):
        if (guest, test) not in self.cells:
            return "."
        passed, failed, skipped = self.cells[guest, test]
        return " ".join(([f"{failed} FAILED"] if failed else []) + ([str(passed)] if passed or not skipped + failed else [])
                        + ([f"({skipped})"] if skipped else []))

    def page(self):
        """Tests x guests; what each guest was."""
        names = list(self.guests)
        tests = sorted({test for _, test in self.cells})
        rows = [["passed (skipped)"] + names] + [[test] + [self.cell(guest, test) for guest in names] for test in tests]
        sizes = [max(len(row[n]) for row in rows) for n in range(len(names) + 1)]
        lines = ["  ".join(text.ljust(size) if n == 0 else text.rjust(size) for n, (text, size) in enumerate(zip(row, sizes)))
                 for row in rows]
        return lines + [""] + [f"{name:14} {told}" for name, told in self.guests.items()]
