// `node scripts/social-picture.mjs http://127.0.0.1:3000`: the pictures of shared links, captured from the landing page of a running
// server. They are checked in (apps/web/public/social-*.png), so that a build needs no browser.
import { chromium } from 'playwright-core'
import { join } from 'node:path'
import { LANGUAGES } from '../platform/shared/languages.ts'
import { findChromium } from './chromium.mjs'

const origin = process.argv[2] ?? 'http://127.0.0.1:3000'
const root = join(import.meta.dirname, '..')
/** Only the banner, without buttons and without a brand: operators have their own. */
const STYLE = `
  html { scrollbar-width: none }
  .site-header, footer, section:not([data-banner]), [data-banner] a, [data-banner] button, [data-banner] p.text-13, [data-support], aside { display: none !important }
  body > :not(#root) { display: none !important }
  [data-banner] { position: fixed; inset: 0; z-index: 9999; display: flex; align-items: center }
  [data-banner] > div { padding: 0 72px !important }
  [data-banner] h1 { font-size: 68px !important }
`

const browser = await chromium.launch({ executablePath: findChromium(), args: ['--no-sandbox'] })
try {
  for (const [lang, { path }] of Object.entries(LANGUAGES)) {
    const page = await browser.newPage({ viewport: { width: 1200, height: 630 }, reducedMotion: 'reduce' })
    await page.goto(`${origin}${path || '/'}`, { waitUntil: 'networkidle' })
    await page.addStyleTag({ content: STYLE })
    await page.evaluate('document.fonts.ready')
    await page.screenshot({ path: join(root, `apps/web/public/social-${lang}.png`) })
    await page.close()
  }
} finally {
  await browser.close()
}
