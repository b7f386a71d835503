/** Schemes to begin with. */
export const schemeExamples: readonly { readonly label: string; readonly text: string }[] = [
  { label: 'By place', text: 'grade = mean(place(contests))\nbands 90 "A", 75 "B", 50 "C", else "D"\n' },
  { label: 'Worst dropped', text: 'grade = mean(drop(1, place(contests)))\nbands 90 "A", 75 "B", 50 "C", else "D"\n' },
  {
    label: 'By rating',
    text: '// Two whose intervals overlap get the same.\ngrade = mean(tied(contests))\nbands 75 "A", 50 "B", 25 "C", else "D"\n',
  },
  {
    label: 'Beating baby passes',
    text: 'best  = max(against(contests, "baby"))\ngrade = step(best, 50, 60, 75, 80, 100, 100)\nbands 60 "pass", else "fail"\n',
  },
  { label: 'Share of the best', text: 'grade = mean(share(contests))\nbands 90 "A", 75 "B", 50 "C", else "D"\n' },
  { label: 'Curve', text: 'grade = curve(mean(place(contests)), 70, 12)\nbands 85 "A", 70 "B", 55 "C", else "D"\n' },
  {
    label: 'Late days',
    text: '// Three late days are free.\ngrade = cap(mean(place(contests)) - 10 * max(0, sum(late(contests)) - 3), 100)\n',
  },
]
