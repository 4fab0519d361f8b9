/** Every letter that has an accented form in the fonts of the pages. */
const PLAIN = 'ACDEGHIJLNORSTUWYZacdeghijlnorstuwyz'
const ACCENTED = 'ÀÇĎÉĜĤÎĴĹÑÖŘŠŤÛŴÝŽàçďéĝĥîĵĺñöřšťûŵýž'
const ACCENTS = new Map([...PLAIN].map((letter, at) => [letter, ACCENTED[at]!]))

/** Placeholders, markup, addresses: values and links depend on them. */
const KEPT = /(\{[^{}]*\}|<[^<>]*>|https?:\/\/\S+|\S+@\S+\.\w+)/
const LONGER = 1.4
/** Right-to-left isolate and its end. */
const PSEUDO_START = '\u2067'
const PSEUDO_END = '\u2069'

const accent = (words: string) => words.replace(/[A-Za-z]/g, (letter) => ACCENTS.get(letter) ?? letter)

/** The last letters of each word once more, so that the word stays one word. */
const stretch = (words: string) => words.replace(/[A-Za-z]+/g, (word) => word + word.slice(-Math.ceil(word.length * (LONGER - 1))))

/**
 * A text in the pseudo-language: words 40 % longer, letters accented, direction right to left. It shows what overflows, what mirrors
 * wrongly and what is written in a page instead of a catalogue.
 */
export function toPseudo(text: string): string {
  const parts = text.split(KEPT).map((part, at) => (at % 2 ? part : accent(stretch(part))))
  return PSEUDO_START + parts.join('').padEnd(Math.ceil(text.length * LONGER), '～') + PSEUDO_END
}
