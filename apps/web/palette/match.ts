/** Scores how well the input matches one of the words: 0 for no match, higher is better. */
export function scoreMatch(typed: string, words: readonly string[]): number {
  const wanted = foldSearchText(typed)
  if (!wanted) return 1
  return Math.max(0, ...words.map((word) => scoreOne(wanted, foldSearchText(word))))
}

/** Ignores width, case, accents and everything between letters: "GPT 5.1" finds gpt-5.1, "Ｃｌａｕｄｅ" finds claude. */
function foldSearchText(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '')
}

function scoreOne(wanted: string, word: string): number {
  if (!word) return 0
  if (word === wanted) return 100
  if (word.startsWith(wanted)) return 80
  const at = word.indexOf(wanted)
  if (at > 0) return 60 - Math.min(20, at)
  return wanted.length > 2 && isSubsequence(wanted, word) ? 10 : 0
}

/** Matches with letters left out in the middle: "cldsonnet" still finds claude-sonnet. */
function isSubsequence(wanted: string, word: string): boolean {
  let at = 0
  for (const letter of word) if (letter === wanted[at]) at++
  return at === wanted.length
}
