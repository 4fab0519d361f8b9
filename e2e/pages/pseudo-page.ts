import { readFileSync } from 'node:fs'
import { expect } from 'vitest'
import type { Page } from 'playwright-core'
import { measureOverflow, waitForQuietNetwork } from '#platform/testing/browser.ts'
import { listCatalogues } from '../../scripts/check/catalogues.ts'

/** Texts that overflow a box which neither clips nor scrolls them; a rotated icon may exceed its box by four pixels. */
const SPILLS = `[...document.querySelectorAll('body *')].filter((box) => {
  if (box.scrollWidth - box.clientWidth <= 5 || box.clientWidth === 0 || box.closest('svg, [aria-hidden="true"], .sr-only')) return false
  const { overflowX, display, visibility } = getComputedStyle(box)
  const holdsText = [...box.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim())
  return overflowX === 'visible' && !display.startsWith('inline ') && display !== 'inline' && visibility === 'visible' && holdsText
}).map((box) => box.tagName + ' ' + box.className.toString().slice(0, 60) + ' | ' + box.textContent.slice(0, 60))`

/**
 * Sentences that come from no catalogue: two plain words or more without the mark of the pseudo-language. Names and codes are shorter; code,
 * times, articles and tables of data hold data.
 */
const UNTRANSLATED = `(() => {
  const found = []
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (walker.nextNode()) {
    const text = walker.currentNode.textContent.trim()
    const box = walker.currentNode.parentElement
    if (!/[a-z]{2,} [a-z]{2,}/.test(text) || text.includes('\\u2067')) continue
    if (box.closest('code, pre, time, script, style, noscript, svg, article, [translate="no"], [data-data]') || !box.checkVisibility({ visibilityProperty: true })) continue
    found.push(text)
  }
  return [...new Set(found)]
})()`

/** English texts of all catalogues: names from open vocabularies, and texts that the server wrote, do not pass through the pages' `t`. */
const CATALOGUE_TEXTS = listCatalogues('.').flatMap(({ stem }) => Object.values(JSON.parse(readFileSync(`${stem}en.json`, 'utf8')) as Record<string, string>))
const EXACT_TEXTS = new Set(CATALOGUE_TEXTS)
const TEMPLATES = CATALOGUE_TEXTS.filter((text) => text.includes('{') && /[a-z]{3}/.test(text.replaceAll(/\{[^}]*\}/g, ''))).map(
  (text) =>
    new RegExp(
      `^${text
        .split(/\{[^}]*\}/)
        .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
        .join('.+')}$`,
    ),
)
const isFromCatalogue = (text: string) => EXACT_TEXTS.has(text.replace(/^· /, '')) || TEMPLATES.some((template) => template.test(text))

/** Opens an address in the pseudo-language. */
export const toPseudoUrl = (url: string): string => `${url}${url.includes('?') ? '&' : '?'}pseudo=1`

/** The window does not scroll sideways, no text overflows its box, and every sentence but `data` comes from a catalogue. */
export async function checkPseudoPage(page: Page, name: string, data: readonly (string | RegExp)[] = []): Promise<void> {
  await waitForQuietNetwork(page)
  await page.evaluate('document.fonts.ready')
  await page.screenshot({ path: `e2e/.shots/long-${page.viewportSize()!.width}-${name.replaceAll(/\W+/g, '-')}.png` })
  const sentences = (await page.evaluate<string[]>(UNTRANSLATED)).filter((text) => !isFromCatalogue(text))
  const plain = sentences.filter((text) => !data.some((own) => (typeof own === 'string' ? text.includes(own) : own.test(text))))
  expect.soft([name, await measureOverflow(page), await page.evaluate(SPILLS), plain]).toEqual([name, 0, [], []])
}
