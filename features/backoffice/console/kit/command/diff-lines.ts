export interface DiffLine {
  readonly sign: '-' | '+'
  readonly text: string
}

/** Lines removed and added, in order, and the number of unchanged ones, by the longest common subsequence. */
export function diffLines(before: readonly string[], after: readonly string[]): { readonly lines: readonly DiffLine[]; readonly same: number } {
  const longest = Array.from({ length: before.length + 1 }, () => new Uint16Array(after.length + 1))
  for (let b = before.length - 1; b >= 0; b--)
    for (let a = after.length - 1; a >= 0; a--)
      longest[b]![a] = before[b] === after[a] ? longest[b + 1]![a + 1]! + 1 : Math.max(longest[b + 1]![a]!, longest[b]![a + 1]!)
  const lines: DiffLine[] = []
  let [b, a] = [0, 0]
  while (b < before.length || a < after.length) {
    if (b < before.length && a < after.length && before[b] === after[a]) [b, a] = [b + 1, a + 1]
    else if (a >= after.length || (b < before.length && longest[b + 1]![a]! >= longest[b]![a + 1]!)) lines.push({ sign: '-', text: before[b++]! })
    else lines.push({ sign: '+', text: after[a++]! })
  }
  return { lines, same: longest[0]![0]! }
}
