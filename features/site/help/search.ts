import type { IndexedArticle } from './blocks.ts'

// Search of the help centre. Written here because it finds more and is smaller: of 60 queries in Chinese, English and pinyin 59 lead to
// their article among three hits, in 1.5 kB. In the same texts MiniSearch finds 53 with our words, 49 with its defaults (5.7 kB),
// FlexSearch 52 (17.6 kB), uFuzzy 47 (4.0 kB): bench/notes/help-centre.md.

/** A piece of text, and if it matches the query. */
export interface HelpTextPiece {
  readonly text: string
  readonly hit: boolean
}

export interface HelpHit {
  readonly slug: string
  /** Anchor in the article; empty for its beginning. */
  readonly id: string
  readonly title: readonly HelpTextPiece[]
  readonly heading: readonly HelpTextPiece[]
  readonly snippet: readonly HelpTextPiece[]
  readonly score: number
}

interface Entry {
  readonly slug: string
  readonly id: string
  readonly title: string
  readonly heading: string
  readonly text: string
  /** Weight of each word of the section. */
  readonly words: ReadonlyMap<string, number>
}

export interface HelpIndex {
  readonly entries: readonly Entry[]
  /** All words, sorted for prefix search. */
  readonly words: readonly string[]
  /** Number of sections that contain each word. */
  readonly spread: ReadonlyMap<string, number>
}

const WEIGHT = { title: 6, keywords: 3, heading: 4, text: 1 } as const
const SNIPPET = 76
const CJK = /[\u3400-\u9fff]/

/** Normalizes a text: full-width letters and digits become plain ones (NFKC), upper case becomes lower case. */
export function normalizeText(text: string): string {
  return text.normalize('NFKC').toLowerCase()
}

/**
 * Splits a text into words. Chinese has no spaces: each pair of neighbours is a word, and so is a character alone. Latin words are kept; a
 * compound (`claude-code`, `base_url`, `5.2`) is also found by its parts.
 */
export function splitHelpWords(text: string): string[] {
  const words: string[] = []
  for (const [run] of normalizeText(text).matchAll(/[\u3400-\u9fff]+|[a-z0-9]+(?:[._-][a-z0-9]+)*/g)) {
    if (!CJK.test(run)) {
      words.push(run)
      if (/[._-]/.test(run)) words.push(...run.split(/[._-]/))
      continue
    }
    for (let at = 0; at + 1 < run.length; at++) words.push(run.slice(at, at + 2))
    if (run.length === 1) words.push(run)
  }
  return words
}

/** Builds the index once in the browser from data prepared by the build: about 35 ms for the whole help centre. */
export function buildHelpIndex(articles: readonly IndexedArticle[]): HelpIndex {
  const spread = new Map<string, number>()
  const entries = articles.flatMap(({ slug, title, keywords, sections }) =>
    sections.map(({ id, heading, text }): Entry => {
      const words = new Map<string, number>()
      const add = (what: string, weight: number) => {
        for (const word of splitHelpWords(what)) words.set(word, Math.max(words.get(word) ?? 0, weight) + (words.has(word) ? 0.2 : 0))
      }
      // The title has full weight in the article's first section, so that the article ranks above its other sections.
      add(text, WEIGHT.text)
      add(heading, WEIGHT.heading)
      add(keywords, id ? 1 : WEIGHT.keywords)
      add(title, id ? 2 : WEIGHT.title)
      for (const word of words.keys()) spread.set(word, (spread.get(word) ?? 0) + 1)
      return { slug, id, title, heading, text, words }
    }),
  )
  return { entries, words: [...spread.keys()].sort(), spread }
}

/** Index words that match a search word: the word itself, and for Latin words of two letters and more all words with that prefix. */
function expandWord(index: HelpIndex, word: string): readonly string[] {
  if (CJK.test(word)) return word.length === 1 ? index.words.filter((one) => one.includes(word)) : index.spread.has(word) ? [word] : []
  if (word.length < 2) return index.spread.has(word) ? [word] : []
  let low = 0
  let high = index.words.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (index.words[middle]! < word) low = middle + 1
    else high = middle
  }
  const found: string[] = []
  for (let at = low; at < index.words.length && index.words[at]!.startsWith(word); at++) found.push(index.words[at]!)
  return found
}

/** Words that open or close a question and are ignored. */
const QUESTION_WORDS = /请问|怎么样|怎么办|怎么|怎样|如何|为什么|是什么|什么是|[吗呢]/g

function parseQuery(query: string): readonly string[] {
  const core = splitHelpWords(query.replace(QUESTION_WORDS, ' '))
  return [...new Set(core.length ? core : splitHelpWords(query))]
}

/** Best hits first, at most two per article. All Latin words must occur; of Chinese pairs at least half. */
export function searchHelp(index: HelpIndex, query: string, most = 8): readonly HelpHit[] {
  const asked = parseQuery(query)
  if (!asked.length) return []
  const known = asked.map((word) => ({ word, meanings: expandWord(index, word) }))
  const needed = countRequiredWords(asked)
  const scored = index.entries.flatMap((entry) => {
    let score = 0
    let matched = 0
    for (const { meanings: words, word } of known) {
      let best = 0
      for (const one of words) {
        const weight = entry.words.get(one)
        if (weight === undefined) continue
        const rare = Math.log(1 + index.entries.length / index.spread.get(one)!)
        best = Math.max(best, weight * rare * (one === word ? 1 : 0.7))
      }
      if (best > 0) matched++
      score += best
    }
    return matched >= needed ? [{ entry, score: score * (matched / asked.length) }] : []
  })
  scored.sort((a, b) => b.score - a.score || (a.entry.id ? 1 : 0) - (b.entry.id ? 1 : 0))
  const marks = [...new Set(known.flatMap((one) => [one.word, ...one.meanings.filter((word) => word.startsWith(one.word) || CJK.test(word))]))]
  const perArticle = new Map<string, number>()
  const hits: HelpHit[] = []
  for (const { entry, score } of scored) {
    const already = perArticle.get(entry.slug) ?? 0
    if (already >= 2) continue
    perArticle.set(entry.slug, already + 1)
    hits.push({
      slug: entry.slug,
      id: entry.id,
      title: markHits(entry.title, marks),
      heading: markHits(entry.heading, marks),
      snippet: buildSnippet(entry.text, marks),
      score,
    })
    if (hits.length === most) break
  }
  return hits
}

function countRequiredWords(asked: readonly string[]): number {
  const latin = asked.filter((word) => !CJK.test(word)).length
  return latin + Math.ceil((asked.length - latin) / 2)
}

/** Splits a text into matching and other pieces; joined they are the text. */
export function markHits(text: string, words: readonly string[]): readonly HelpTextPiece[] {
  const low = toSameLengthLower(text)
  const isHit = new Array<boolean>(text.length).fill(false)
  for (const word of words) {
    if (!word) continue
    for (let at = low.indexOf(word); at >= 0; at = low.indexOf(word, at + 1)) {
      if (!CJK.test(word) && /[a-z0-9]/.test(low[at - 1] ?? '')) continue
      isHit.fill(true, at, at + word.length)
    }
  }
  const pieces: HelpTextPiece[] = []
  for (let at = 0; at < text.length;) {
    let end = at
    while (end < text.length && isHit[end] === isHit[at]) end++
    pieces.push({ text: text.slice(at, end), hit: isHit[at]! })
    at = end
  }
  return pieces
}

/** Lower-cases a text without changing its length: a letter whose lower case is longer stays unchanged. */
function toSameLengthLower(text: string): string {
  return Array.from({ length: text.length }, (_, at) => {
    const one = text[at]!.normalize('NFKC').toLowerCase()
    return one.length === 1 ? one : text[at]!
  }).join('')
}

/** Selects the excerpt with the most hits, at word borders where possible. */
function buildSnippet(text: string, words: readonly string[]): readonly HelpTextPiece[] {
  const length = CJK.test(text) ? SNIPPET : SNIPPET * 2
  const pieces = markHits(text, words)
  const at: number[] = []
  let offset = 0
  for (const piece of pieces) {
    if (piece.hit) at.push(offset)
    offset += piece.text.length
  }
  let from = 0
  let best = -1
  for (const start of at) {
    const inside = at.filter((one) => one >= start && one < start + length).length
    if (inside > best) {
      best = inside
      from = start
    }
  }
  let begin = Math.max(0, Math.min(from - Math.floor(length / 4), text.length - length))
  if (begin > 0) {
    const space = text.slice(begin, from).search(/[\s，。；：、,.;:]/)
    if (space >= 0) begin += space + 1
  }
  const cut = text.slice(begin, begin + length).trim()
  const shown = `${begin > 0 ? '…' : ''}${cut}${begin + length < text.length ? '…' : ''}`
  return markHits(shown, words)
}
