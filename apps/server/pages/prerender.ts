import type { FastifyInstance } from 'fastify'
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Deps } from '#platform/server/feature.ts'
import type { Lang } from '#platform/shared/texts.ts'
import { toServed } from './document.ts'
import type { Served, Template } from './document.ts'
import { headOf, readChunks } from './page-head.ts'
import type { DrawnPage } from './page-head.ts'
import type { BuiltPages } from './pages.ts'

/** `Frame` of apps/web/frame.tsx. */
interface Frame {
  readonly address: string
  readonly early: string
  readonly shell: readonly string[]
  readonly page: readonly string[]
}

/** What the bundle of apps/web/prerender.tsx exports. */
interface Bundle {
  loadPublicPages(): Promise<readonly DrawnPage[]>
  drawPage(path: string, lang: Lang, data: Readonly<Record<string, unknown>>): Promise<string>
  hasLangPath(path: string): boolean
  langPath(path: string, lang: Lang): string
  plainPath(path: string): string
  frameOf(pathname: string, tab: string | undefined): Frame | undefined
  drawFrame(address: string, lang: Lang): Promise<string>
}

export interface Prerender {
  readonly pages: readonly DrawnPage[]
  /** A plain path's address in a language. */
  address(path: string, lang: Lang): string
  /** Whether an address, with or without a slash at its end, is a page for everybody: a public one, an invitation, the sign-in. */
  isPublic(pathname: string): boolean
  /** The drawn page at an address of the reader's origin, with data at most three seconds old; undefined when there is none. */
  page(pathname: string, origin: string): Promise<Served | undefined>
  /** The console's frame at an address, for somebody who is signed in; undefined for all other pages. */
  frame(pathname: string, tab: string | undefined, lang: Lang): Promise<Served | undefined>
  /** Where an address leads instead: without a trailing slash, to the language that the reader chose, from an invitation to the landing page. */
  movedTo(pathname: string, english: boolean): string | undefined
  /** Draws everything in the background, so that the first reader waits for nothing. */
  warm(): void
}

const FRESH_MS = 3000
/** Each page in each language, at several addresses of one machine; a configured server has one. */
const MAX_DRAWN = 1000
const LANGS = ['zh', 'en'] as const
const INVITED = /^\/(?:i|invite)\/([^/]+)$/
/** Of both only this one leads on: the other is a page. */
const LEADS_ON = /^\/invite\/([^/]+)$/

/**
 * Public pages are drawn by React in this process, once, and again when the replies they show have changed. What a page
 * shows comes from the platform's own public calls, asked the way a browser would.
 */
export async function createPrerender(app: FastifyInstance, built: BuiltPages, template: Template, deps: Deps): Promise<Prerender> {
  const bundle = (await import(pathToFileURL(join(built.prerender, 'prerender.js')).href)) as Bundle
  const pages = await bundle.loadPublicPages()
  const byPath = new Map(pages.map((page) => [page.path, page]))
  const chunks = readChunks(built.web)
  const ask = createAsk(app)
  const drawn = new Map<string, { readonly print: string; readonly served: Promise<Served> }>()

  let turn: Promise<unknown> = Promise.resolve()
  const draw = async (page: DrawnPage, lang: Lang, origin: string, data: Readonly<Record<string, unknown>>): Promise<Served> => {
    const site = template.site(origin)
    // one after the other: what is drawn reads its address from this global
    const drawing = turn.then(() => {
      ;(globalThis as { __SITE__?: unknown }).__SITE__ = site
      return bundle.drawPage(page.path, lang, data)
    })
    turn = drawing.catch(() => {})
    const head = headOf({ page, lang, data, site, address: bundle.langPath, chunks })
    return toServed(template.page({ path: page.path, lang, head, html: await drawing, data }, site))
  }
  const current = async (page: DrawnPage, lang: Lang, origin: string): Promise<Served> => {
    const replies = await Promise.all((page.calls ?? []).map(async ({ path }) => ({ path, ...(await ask(path)) })))
    const key = `${origin} ${lang} ${page.path}`
    const print = replies.map((reply) => reply.print).join()
    const known = drawn.get(key)
    if (known?.print === print) return known.served
    if (drawn.size >= MAX_DRAWN) drawn.clear()
    const served = draw(page, lang, origin, Object.fromEntries(replies.map(({ path, data }) => [path, data])))
    drawn.set(key, { print, served })
    served.catch(() => drawn.delete(key))
    return served
  }
  const frames = new Map<string, Promise<Served>>()
  const drawFrame = async ({ address, early, shell, page }: Frame, lang: Lang) => {
    const first = chunks.of(shell)
    const later = chunks.of(page).filter((file) => !first.includes(file))
    const drawing = turn.then(() => {
      ;(globalThis as { __SITE__?: unknown }).__SITE__ = template.site(deps.siteUrl())
      return bundle.drawFrame(address, lang)
    })
    turn = drawing.catch(() => {})
    return toServed(template.frame({ lang, early, html: await drawing, first, later }))
  }
  return {
    pages,
    address: bundle.langPath,
    page: async (pathname, origin) => {
      const path = bundle.plainPath(pathname)
      const page = byPath.get(path)
      if (!page) return undefined
      try {
        return await current(page, path === pathname ? 'zh' : 'en', origin)
      } catch (error) {
        deps.log.error({ err: error, path: pathname }, 'a public page could not be drawn; the browser will')
        return undefined
      }
    },
    frame: async (pathname, tab, lang) => {
      const frame = bundle.frameOf(pathname, tab)
      if (!frame) return undefined
      const key = `${lang} ${frame.address}`
      try {
        const known = frames.get(key) ?? drawFrame(frame, lang)
        frames.set(key, known)
        return await known
      } catch (error) {
        frames.delete(key)
        deps.log.error({ err: error, path: frame.address }, 'the frame of a page could not be drawn; the browser will')
        return undefined
      }
    },
    isPublic: (pathname) => {
      const whole = withoutSlash(pathname)
      return INVITED.test(whole) || /^\/(?:login$|en\/)/.test(whole) || bundle.hasLangPath(bundle.plainPath(whole))
    },
    movedTo: (pathname, english) => {
      const whole = withoutSlash(pathname)
      const invited = LEADS_ON.exec(whole)
      if (invited) return `${bundle.langPath('/', english ? 'en' : 'zh')}?code=${invited[1]}`
      const path = bundle.plainPath(whole)
      const isKnown = bundle.hasLangPath(path)
      // /en before any other page stays: the browser reads the language there and takes it away
      const to = isKnown && english ? bundle.langPath(path, 'en') : whole
      // what a browser reads as another host: //host/, /\host/
      return to === pathname || /^\/[/\\]/.test(to) ? undefined : to
    },
    warm: () => {
      void (async () => {
        for (const page of pages)
          for (const lang of LANGS)
            await current(page, lang, deps.siteUrl()).catch((error: unknown) =>
              deps.log.error({ err: error, path: page.path }, 'a public page could not be drawn'),
            )
      })()
    },
  }
}

function withoutSlash(pathname: string): string {
  return pathname.length > 1 ? pathname.replace(/\/+$/, '') || '/' : pathname
}

/** The reply of a public call, asked at most every three seconds. */
function createAsk(app: FastifyInstance) {
  const kept = new Map<string, { readonly at: number; readonly reply: Promise<{ data: unknown; print: string }> }>()
  const read = async (path: string) => {
    const reply = await app.inject({ method: 'GET', url: path })
    const { code, data } = reply.json<{ code: number; data: unknown }>()
    if (code !== 200) throw new Error(`${path} answered ${code}`)
    return { data, print: createHash('sha256').update(JSON.stringify(data)).digest('base64url') }
  }
  return (path: string) => {
    const known = kept.get(path)
    if (known && Date.now() - known.at < FRESH_MS) return known.reply
    const reply = read(path)
    reply.catch(() => kept.delete(path))
    kept.set(path, { at: Date.now(), reply })
    return reply
  }
}
