import type { FastifyInstance } from 'fastify'
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Deps } from '#platform/server/feature.ts'
import { DEFAULT_LANG, LANGS, readPathLang, type Lang } from '#platform/shared/languages.ts'
import { compressDocument } from './document.ts'
import type { CompressedDocument, Template } from './document.ts'
import { buildPageHead, readPageChunks } from './page-head.ts'
import type { DrawnPage } from './page-head.ts'
import type { BuiltPages } from './pages.ts'

/** `Frame` of apps/web/frame.tsx. */
interface ConsolePageFrame {
  readonly address: string
  readonly early: string
  readonly shell: readonly string[]
  readonly page: readonly string[]
}

/** Exports of the bundle of apps/web/prerender.tsx. */
interface Bundle {
  loadPublicPages(): Promise<readonly DrawnPage[]>
  drawPage(path: string, lang: Lang, data: Readonly<Record<string, unknown>>): Promise<string>
  hasLangPath(path: string): boolean
  toLangPath(path: string, lang: Lang): string
  plainPath(path: string): string
  resolvePageFrame(pathname: string, tab: string | undefined): ConsolePageFrame | undefined
  drawFrame(address: string, lang: Lang): Promise<string>
}

export interface Prerender {
  readonly pages: readonly DrawnPage[]
  /** Adds the language to a plain path. */
  address(path: string, lang: Lang): string
  /** True if a path, with or without a trailing slash, is open to everyone: a public page, an invitation or the sign-in. */
  isPublic(pathname: string): boolean
  /** The rendered page at a path, with data at most three seconds old; undefined if there is none. */
  page(pathname: string, origin: string): Promise<CompressedDocument | undefined>
  /** The console's frame at a path, for signed-in users; undefined for all other pages. */
  frame(pathname: string, tab: string | undefined, lang: Lang): Promise<CompressedDocument | undefined>
  /** Redirect target of a path: without a trailing slash, in the reader's language, or from an invitation to the landing page. */
  movedTo(pathname: string, chosen: Lang): string | undefined
  /** Renders every page in the background, so that the first request finds it cached. */
  warm(): void
}

const FRESH_MS = 3000
/** Each page in each language, at several addresses of one machine; a server with PUBLIC_URL has one address. */
const MAX_DRAWN = 1000
const INVITE_PATH = /^\/(?:i|invite)\/([^/]+)$/
/** Of the two invitation paths only this one redirects; the other is a page. */
const INVITE_REDIRECT_PATH = /^\/invite\/([^/]+)$/

interface State {
  readonly bundle: Bundle
  readonly template: Template
  readonly deps: Deps
  readonly byPath: ReadonlyMap<string, DrawnPage>
  readonly chunks: ReturnType<typeof readPageChunks>
  readonly ask: ReturnType<typeof createPublicQuery>
  readonly drawn: Map<string, { readonly print: string; readonly served: Promise<CompressedDocument> }>
  readonly frames: Map<string, Promise<CompressedDocument>>
  /** Settles after the last rendering: renderings run one at a time. */
  turn: Promise<unknown>
  /** The server is closing: stop rendering in the background. */
  over: boolean
}

/**
 * Renders public pages with React in this process, once, and again when the replies they show have changed. Page data comes from the platform's own
 * public endpoints, called as a browser would.
 */
export async function createPrerender(
  app: FastifyInstance,
  built: BuiltPages,
  { template, deps }: { readonly template: Template; readonly deps: Deps },
): Promise<Prerender> {
  const bundle = (await import(pathToFileURL(join(built.prerender, 'prerender.js')).href)) as Bundle
  const pages = await bundle.loadPublicPages()
  const s: State = {
    bundle,
    template,
    deps,
    byPath: new Map(pages.map((page) => [page.path, page])),
    chunks: readPageChunks(built.web),
    ask: createPublicQuery(app),
    drawn: new Map(),
    frames: new Map(),
    turn: Promise.resolve(),
    over: false,
  }
  app.addHook('preClose', (done) => {
    s.over = true
    done()
  })
  return {
    pages,
    address: bundle.toLangPath,
    page: (pathname, origin) => findPage(s, pathname, origin),
    frame: (pathname, tab, lang) => findFrame(s, pathname, { tab, lang }),
    isPublic: (pathname) => {
      const whole = stripTrailingSlash(pathname)
      return INVITE_PATH.test(whole) || whole === '/login' || readPathLang(whole) !== undefined || bundle.hasLangPath(bundle.plainPath(whole))
    },
    movedTo: (pathname, chosen) => findRedirect(bundle, pathname, chosen),
    warm: () => void warmCache(s),
  }
}

/** Renders one page at a time, because a page reads its address from a global. */
function drawAt(s: State, site: ReturnType<Template['site']>, draw: () => Promise<string>): Promise<string> {
  const drawing = s.turn.then(() => {
    ;(globalThis as { __SITE__?: unknown }).__SITE__ = site
    return draw()
  })
  s.turn = drawing.catch(() => {})
  return drawing
}

async function drawPage(
  s: State,
  page: DrawnPage,
  { lang, origin, data }: { readonly lang: Lang; readonly origin: string; readonly data: Readonly<Record<string, unknown>> },
): Promise<CompressedDocument> {
  const { bundle, template, chunks } = s
  const site = template.site(origin)
  const drawing = drawAt(s, site, () => bundle.drawPage(page.path, lang, data))
  const head = buildPageHead({ page, lang, data, site, address: bundle.toLangPath, chunks })
  return compressDocument(template.page({ path: page.path, lang, head, html: await drawing, data }, site))
}

async function drawFrame(s: State, { address, early, shell, page }: ConsolePageFrame, lang: Lang): Promise<CompressedDocument> {
  const { bundle, template, deps, chunks } = s
  const first = chunks.of(shell)
  const later = chunks.of(page).filter((file) => !first.includes(file))
  const drawing = drawAt(s, template.site(deps.siteUrl()), () => bundle.drawFrame(address, lang))
  return compressDocument(template.frame({ lang, early, html: await drawing, first, later }))
}

/** Returns the current page; renders it again if its data has changed. */
async function refreshPage(s: State, page: DrawnPage, { lang, origin }: { readonly lang: Lang; readonly origin: string }): Promise<CompressedDocument> {
  const { drawn } = s
  const replies = await Promise.all((page.calls ?? []).map(async ({ path }) => ({ path, ...(await s.ask(path)) })))
  const key = `${origin} ${lang} ${page.path}`
  const print = replies.map((reply) => reply.print).join()
  const known = drawn.get(key)
  if (known?.print === print) return known.served
  if (drawn.size >= MAX_DRAWN) drawn.clear()
  const served = drawPage(s, page, { lang, origin, data: Object.fromEntries(replies.map(({ path, data }) => [path, data])) })
  drawn.set(key, { print, served })
  served.catch(() => drawn.delete(key))
  return served
}

async function findPage(s: State, pathname: string, origin: string): Promise<CompressedDocument | undefined> {
  const path = s.bundle.plainPath(pathname)
  const page = s.byPath.get(path)
  if (!page) return undefined
  try {
    return await refreshPage(s, page, { lang: readPathLang(pathname) ?? DEFAULT_LANG, origin })
  } catch (error) {
    s.deps.log.error({ err: error, path: pathname }, 'a public page could not be drawn; the browser will')
    return undefined
  }
}

async function findFrame(
  s: State,
  pathname: string,
  { tab, lang }: { readonly tab: string | undefined; readonly lang: Lang },
): Promise<CompressedDocument | undefined> {
  const frame = s.bundle.resolvePageFrame(pathname, tab)
  if (!frame) return undefined
  const key = `${lang} ${frame.address}`
  try {
    const known = s.frames.get(key) ?? drawFrame(s, frame, lang)
    s.frames.set(key, known)
    return await known
  } catch (error) {
    s.frames.delete(key)
    s.deps.log.error({ err: error, path: frame.address }, 'the frame of a page could not be drawn; the browser will')
    return undefined
  }
}

function findRedirect(bundle: Bundle, pathname: string, chosen: Lang): string | undefined {
  const whole = stripTrailingSlash(pathname)
  const invited = INVITE_REDIRECT_PATH.exec(whole)
  if (invited) return `${bundle.toLangPath('/', chosen)}?code=${invited[1]}`
  const path = bundle.plainPath(whole)
  // An address with a language decides. Before a page without one the browser reads the language and removes it.
  const to = readPathLang(whole) === undefined ? bundle.toLangPath(path, chosen) : whole
  // Paths that a browser reads as another host: //host/, /\host/
  return to === pathname || /^\/[/\\]/.test(to) ? undefined : to
}

async function warmCache(s: State): Promise<void> {
  for (const page of s.byPath.values())
    for (const lang of LANGS)
      if (!s.over)
        await refreshPage(s, page, { lang, origin: s.deps.siteUrl() }).catch((error: unknown) => {
          if (!s.over) s.deps.log.error({ err: error, path: page.path }, 'a public page could not be drawn')
        })
}

function stripTrailingSlash(pathname: string): string {
  return pathname.length > 1 ? pathname.replace(/\/+$/, '') || '/' : pathname
}

/** The reply of a public call, refreshed at most every three seconds. */
function createPublicQuery(app: FastifyInstance) {
  const kept = new Map<string, { readonly at: number; readonly reply: Promise<{ data: unknown; print: string }> }>()
  const read = async (path: string) => {
    const reply = await app.inject({ method: 'GET', url: path })
    const { code, data } = reply.json<{ code: number; data: unknown }>()
    if (code !== 200) throw new Error(`${path} answered ${code}`)
    return { data, print: createHash('sha256').update(JSON.stringify(data)).digest('base64url') }
  }
  return (path: string) => {
    const known = kept.get(path)
    if (known && performance.now() - known.at < FRESH_MS) return known.reply
    const reply = read(path)
    reply.catch(() => kept.delete(path))
    kept.set(path, { at: performance.now(), reply })
    return reply
  }
}
