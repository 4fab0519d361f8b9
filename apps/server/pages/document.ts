import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Deps } from '#platform/server/feature.ts'
import { LANGUAGES, type Lang } from '#platform/shared/languages.ts'

/** A document as it is sent: compressed once, whatever the number of readers. */
export interface CompressedDocument {
  readonly text: string
  readonly br: Buffer
  readonly gz: Buffer
  readonly etag: string
}

export async function compressDocument(text: string): Promise<CompressedDocument> {
  const [br, gz] = await Promise.all([
    promisify(brotliCompress)(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_SIZE_HINT]: text.length } }),
    promisify(gzip)(text, { level: 9 }),
  ])
  return { text, br, gz, etag: `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"` }
}

/** Operator settings that pages show; same shape as `Site` in platform/web/site.ts. */
export interface SiteFacts {
  readonly brand: string
  readonly brandZh: string
  readonly company: string
  readonly supportEmail: string
  readonly stage: string
  readonly origin: string
  readonly termsUpdated?: string | undefined
  readonly privacyUpdated?: string | undefined
  readonly protocolUpdated?: string | undefined
  readonly productionUrl?: string | undefined
  readonly chinaUrl?: string | undefined
}

interface RenderInput {
  readonly path: string
  readonly lang: Lang
  readonly head: string
  readonly html: string
  readonly data: unknown
}

/** The built document with placeholders for the head, the rendered page and its data. */
export interface Template {
  /** Hash of boot.js for the policy (`'sha256-…'`): it is inlined, since a separate request would delay the first paint. */
  readonly scriptHash: string
  /** Site facts for a reader; `origin` is the address in the reader's browser. */
  site(origin: string): SiteFacts
  /** For pages behind the sign-in and unknown paths: without content, and not for search engines. */
  shell(): string
  page(drawing: RenderInput, site: SiteFacts): string
  /** A page of the console: its frame is rendered, and its sources are preloaded. */
  frame(drawing: {
    readonly lang: Lang
    readonly html: string
    readonly early: string
    readonly first: readonly string[]
    readonly later: readonly string[]
  }): string
}

const NOINDEX = '<meta name="robots" content="noindex" />'

export function readTemplate(folder: string, deps: Deps): Template {
  const boot = readFileSync(join(folder, 'boot.js'), 'utf8')
  if (/<\/script/i.test(boot)) throw new Error('boot.js contains </script and cannot be inlined')
  const raw = readFileSync(join(folder, 'index.html'), 'utf8').replace('<script src="/boot.js"></script>', () => `<script>${boot}</script>`)
  const { BRAND_NAME, BRAND_NAME_ZH, COMPANY, SUPPORT_EMAIL, STAGE, PUBLIC_URL, TERMS_UPDATED, PRIVACY_UPDATED, PROTOCOL_UPDATED, PRODUCTION_URL, CHINA_URL } =
    deps.config
  const legal = { termsUpdated: TERMS_UPDATED, privacyUpdated: PRIVACY_UPDATED, protocolUpdated: PROTOCOL_UPDATED }
  const others = STAGE === 'production' ? {} : { productionUrl: PRODUCTION_URL, chinaUrl: CHINA_URL }
  const facts = { brand: BRAND_NAME, brandZh: BRAND_NAME_ZH, company: COMPANY, supportEmail: SUPPORT_EMAIL, stage: STAGE, ...legal, ...others }
  const site = (origin: string) => ({ ...facts, origin })
  // Without a configured address, the browser's own is correct on every machine; a prerendered page must repeat the rendered one.
  const withSite = (value: object, document = raw) => document.replace('id="site"></script>', () => `id="site">${escapeForScript(value)}</script>`)
  // The table of languages for boot.js (scripts/vite/languages.ts).
  const langs = / data-langs="[^"]*"/.exec(raw)?.[0] ?? ''
  const inOne = inlineStyles(raw, folder)
  const drawn = inOne.replaceAll(/<(script type="module"|link rel="modulepreload")/g, '<$1 fetchpriority="low"')
  return {
    scriptHash: `'sha256-${createHash('sha256').update(boot).digest('base64')}'`,
    site,
    shell: () => withSite(PUBLIC_URL ? site(deps.siteUrl()) : facts).replace('<!--head-->', NOINDEX),
    frame: ({ lang, html, early, first, later }) =>
      withSite(PUBLIC_URL ? site(deps.siteUrl()) : facts, inOne)
        .replace(
          /<html[^>]*>/,
          `<html lang="${LANGUAGES[lang].tag}"${langs} data-frame="${lang}" data-early="${escapeHtml(early)}" data-later="${escapeHtml(later.join(' '))}">`,
        )
        .replace('<!--head-->', NOINDEX)
        .replace('<div id="root"></div>', () => `<div id="root">${html}</div>`)
        // After the frame, which the preloads would otherwise delay.
        .replace('<!--data-->', () => first.map((file) => `<link rel="modulepreload" crossorigin href="/${escapeHtml(file)}" />`).join('')),
    page: ({ path, lang, head, html, data }, shown) =>
      withSite(shown, drawn)
        .replace(/<html[^>]*>/, `<html lang="${LANGUAGES[lang].tag}"${langs} data-page="${escapeHtml(path)}">`)
        .replace(/<!--head-->[\s\S]*<!--\/head-->/, () => head)
        .replace('<div id="root"></div>', () => `<div id="root">${html}</div>`)
        .replace('<!--data-->', () => `<script type="application/json" id="page-data">${escapeForScript(data)}</script>`),
  }
}

/**
 * For prerendered pages: inlines the styles, so that the first paint waits for one response. The link to the stylesheet stays, disabled and
 * not fetched: later chunks look for it and then need not wait.
 */
function inlineStyles(document: string, folder: string): string {
  return document.replaceAll(/<link rel="stylesheet"([^>]*?) href="(\/assets\/[^"]+\.css)">/g, (_link, more: string, href: string) => {
    const css = readFileSync(join(folder, href), 'utf8')
    return `<style>${css.replaceAll('</', '<\\/')}</style>\n    <link rel="stylesheet" disabled${more} href="${href}">`
  })
}

/** Escapes JSON so that it cannot end its script element. */
export function escapeForScript(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c')
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`)
}
