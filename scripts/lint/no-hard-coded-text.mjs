import { meta } from './small-rules.mjs'

const CJK = /[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]/
const WORD = /\p{L}{2,}/u
const SPOKEN = new Set(['alt', 'aria-label', 'aria-description', 'aria-placeholder', 'aria-roledescription', 'label', 'placeholder', 'title'])
/** Elements with code, which is the same in every language. */
const VERBATIM = new Set(['code', 'pre', 'kbd', 'samp', 'style', 'script'])
/** Names that are written alike in both languages; a language's name is in that language. */
const NAMES =
  /^(OpenAI|Claude|Gemini|Google|Anthropic|Alipay|WeChat|Stripe|GitHub|Mingxi|Python|Node|curl|API|SDK|URL|ID|QR|USD|CNY|HKD|EN|OK|Ctrl|Cmd|Esc|K|A|中|中文|简体中文|English)$/

const inside = (node) => {
  for (let up = node.parent; up; up = up.parent) {
    if (up.type === 'JSXElement' && VERBATIM.has(up.openingElement.name.name)) return true
  }
  return false
}

const words = (text) => (text.match(/[\p{L}\p{N}]+/gu) ?? []).filter((word) => !NAMES.test(word))
const isChinese = (text) => words(text).some((word) => CJK.test(word))
const speaks = (text) => words(text).some((word) => CJK.test(word) || WORD.test(word))

/** User-visible text belongs in a catalogue, messages/<lang>.json, never in a page. */
export const noHardCodedText = {
  meta: meta('no text in pages'),
  create(context) {
    const message = 'Text belongs to messages/<lang>.json; show it with useTexts.'
    return {
      JSXText(node) {
        if (speaks(node.value) && !inside(node)) context.report({ node, message })
      },
      JSXAttribute(node) {
        if (node.value?.type !== 'Literal' || typeof node.value.value !== 'string') return
        if (isChinese(node.value.value) || (SPOKEN.has(node.name.name) && speaks(node.value.value))) context.report({ node, message })
      },
      JSXExpressionContainer(node) {
        const value = node.expression
        if (value.type === 'Literal' && typeof value.value === 'string' && !inside(node) && node.parent.type !== 'JSXAttribute' && speaks(value.value))
          context.report({ node, message })
      },
      Literal(node) {
        if (typeof node.value === 'string' && isChinese(node.value) && !node.parent.type.startsWith('JSX')) context.report({ node, message })
      },
      TemplateElement(node) {
        if (isChinese(node.value.raw)) context.report({ node, message })
      },
    }
  },
}
