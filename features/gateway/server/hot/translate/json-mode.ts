import type { AnswerEvent } from './form.ts'

/** Instruction for models without a JSON mode; `jsonOnly` filters their answer. */
export const JSON_INSTRUCTION = 'Answer with one valid JSON object and nothing else: no words before or behind it, no code fence.'

/**
 * Passes only the JSON value of an answer. An answer without one becomes a refusal, which callers of JSON mode expect as text; an
 * incomplete one ends as if cut.
 */
export function createJsonFilter(): (said: AnswerEvent) => readonly AnswerEvent[] {
  let before = ''
  let state: 'before' | 'within' | 'behind' = 'before'
  let depth = 0
  let isText = false
  let isEscaped = false

  /** End of the value in this text; the text's length if it continues. */
  const walk = (text: string, from: number): number => {
    for (let i = from; i < text.length; i++) {
      const letter = text[i]!
      if (isText) {
        if (isEscaped) isEscaped = false
        else if (letter === '\\') isEscaped = true
        else if (letter === '"') isText = false
      } else if (letter === '"') isText = true
      else if (letter === '{' || letter === '[') depth++
      else if ((letter === '}' || letter === ']') && --depth === 0) {
        state = 'behind'
        return i + 1
      }
    }
    return text.length
  }
  const textOf = (text: string): string => {
    if (state === 'behind') return ''
    if (state === 'within') return text.slice(0, walk(text, 0))
    const begin = text.search(/[{[]/)
    if (begin < 0) {
      before += text
      return ''
    }
    before += text.slice(0, begin)
    state = 'within'
    return text.slice(begin, walk(text, begin))
  }
  return (said) => {
    if (said.kind === 'text') {
      const text = textOf(said.text)
      return text === '' ? [] : [{ ...said, text }]
    }
    if (said.kind === 'call') {
      const words = state === 'before' ? before : ''
      before = ''
      return words === '' ? [said] : [{ kind: 'text', text: words }, said]
    }
    if (said.kind !== 'stop') return [said]
    if (state === 'before' && before.trim() !== '') return [{ kind: 'refusal', text: before }, said]
    return state === 'within' && said.stop === 'end' ? [{ ...said, stop: 'length' }] : [said]
  }
}
