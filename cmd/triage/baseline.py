"""Compares the model of api/triage with a plain baseline on the same rows.

The baseline is TF-IDF of words and of letters with linear support vector machines, trained on
the rows that the model is trained on, with the typos that are added to them. Only counts are
printed, never a text.

    python3 -m venv /tmp/baseline
    /tmp/baseline/bin/pip install -r cmd/triage/requirements.txt
    go run ./cmd/triage rows > /tmp/rows.csv
    /tmp/baseline/bin/python cmd/triage/baseline.py /tmp/rows.csv
"""

import csv
import sys

import numpy as np
from scipy.sparse import hstack
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.metrics import f1_score
from sklearn.svm import LinearSVC


def read(name):
    """Gives the rows by their set: training, and one a set that is judged."""
    sets = {}
    with open(name, newline="", encoding="utf-8") as f:
        for row in csv.DictReader(f):
            sets.setdefault(row["set"], []).append(row)
    return sets


def column(rows, name):
    return np.array([r[name] for r in rows])


class Baseline:
    """Words and pairs of words, and two to five letters, each by TF-IDF."""

    def __init__(self, rows):
        options = {"sublinear_tf": True, "strip_accents": "unicode", "min_df": 2}
        self.words = TfidfVectorizer(ngram_range=(1, 2), **options)
        self.letters = TfidfVectorizer(analyzer="char_wb", ngram_range=(2, 5), **options)
        texts = column(rows, "text")
        features = hstack([self.words.fit_transform(texts), self.letters.fit_transform(texts)]).tocsr()
        self.category = LinearSVC(C=1, random_state=0).fit(features, column(rows, "category"))
        emergency = column(rows, "priority") == "emergency"
        self.emergency = LinearSVC(C=1, random_state=0).fit(features, emergency)

    def judge(self, rows):
        texts = column(rows, "text")
        features = hstack([self.words.transform(texts), self.letters.transform(texts)]).tocsr()
        return self.category.predict(features), self.emergency.decision_function(features)


def line(rows, category, called):
    """The figures of one judge of one set; called is what is called an emergency."""
    wanted, second = column(rows, "category"), column(rows, "alt_category")
    emergency = column(rows, "priority") == "emergency"
    hit = (called & emergency).sum()
    return (
        f"F1 {f1_score(wanted, category, average='macro'):.3f}  "
        f"lenient {np.mean((category == wanted) | (category == second)):.3f}  "
        f"recall {hit / emergency.sum():.3f}  precision {hit / max(called.sum(), 1):.3f}  "
        f"alarms per 100 everyday requests {100 * (called & ~emergency).sum() / (~emergency).sum():.1f}"
    )


def at_recall(scores, emergency, recall):
    """What the baseline calls an emergency at the threshold where it finds as many as the model."""
    ranked = np.sort(scores[emergency])[::-1]
    needed = max(int(np.ceil(recall * emergency.sum() - 1e-9)), 1)
    return scores >= ranked[needed - 1]


def main():
    sets = read(sys.argv[1])
    baseline = Baseline(sets.pop("training"))
    for name, rows in sets.items():
        emergency = column(rows, "priority") == "emergency"
        ours = column(rows, "given_priority") == "emergency"
        category, scores = baseline.judge(rows)
        recall = (ours & emergency).sum() / emergency.sum()
        print(f"{name}: {len(rows)} messages, {emergency.sum()} emergencies")
        print("  the model                ", line(rows, column(rows, "given_category"), ours))
        print("  baseline                 ", line(rows, category, scores > 0))
        print("  baseline at equal recall ", line(rows, category, at_recall(scores, emergency, recall)))


if __name__ == "__main__":
    main()
