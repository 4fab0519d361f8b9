import { afterEach, beforeEach, expect, test, vi } from 'vitest'

const box = () => {
  const kept = new Map<string, string>()
  return {
    kept,
    store: new Proxy(
      {
        getItem: (key: string) => kept.get(key) ?? null,
        setItem: (key: string, value: string) => void kept.set(key, value),
        removeItem: (key: string) => void kept.delete(key),
      },
      { ownKeys: () => [...kept.keys()], getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }) },
    ),
  }
}
let [local, tab] = [box(), box()]
let sent: { url: string; headers: Record<string, string> }[] = []
const reload = vi.fn<() => void>()
const QA = { stage: 'qa', productionUrl: 'https://mingxi.example', chinaUrl: 'https://mingxi.example.cn' }

beforeEach(() => {
  ;[local, tab, sent] = [box(), box(), []]
  reload.mockClear()
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.resetModules()
})

/** Loads the page's code as a browser would, in a tab that keeps its storage. */
async function load(site: object = QA) {
  vi.resetModules()
  vi.stubGlobal('document', {
    cookie: '',
    documentElement: { classList: { toggle: () => undefined }, dataset: {} },
    getElementById: () => ({ textContent: JSON.stringify(site) }),
  })
  vi.stubGlobal('location', { origin: 'https://qa.test', search: '', pathname: '/', reload })
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener: () => undefined }))
  vi.stubGlobal('localStorage', local.store)
  vi.stubGlobal('sessionStorage', tab.store)
  vi.stubGlobal('fetch', async (url: string, { headers }: { headers: Record<string, string> }) => {
    sent.push({ url, headers })
    return Response.json({ code: 200, msg: '', data: {} })
  })
  const [target, session, { createApi }, { z }] = [
    await import('./api-target.ts'),
    await import('./session.ts'),
    await import('../calls/api.ts'),
    await import('zod'),
  ]
  const read = { method: 'GET', path: '/user/info', access: 'user', summary: '', input: z.object({}), reply: z.object({}), errors: [] } as const
  return { ...target, ...session, call: createApi({ read }).read }
}

test('the panel switches the API that calls go to: production, the China domain, and back', async () => {
  let page = await load()
  expect(Object.keys(page.getTargetUrls())).toEqual(['production', 'china'])
  for (const target of ['production', 'china', undefined] as const) {
    page.chooseApi(target)
    page = await load()
    await page.call()
    expect([page.apiTarget, sent.at(-1)]).toMatchObject([target, { url: '/user/info' }])
    expect(sent.at(-1)!.headers['x-api-target']).toBe(target)
  }
  expect(reload).toHaveBeenCalledTimes(3)
})

test('a session is sent only to the site that issued it, and ends alone', async () => {
  const tokenSent = () => sent.at(-1)!.headers['accessToken']
  let page = await load()
  page.startSession('of this site')
  page.chooseApi('production')
  page = await load()
  await page.call()
  expect([page.getSessionToken(), tokenSent()]).toEqual([undefined, undefined])
  page.startSession('of production')
  await page.call()
  expect(tokenSent()).toBe('of production')
  page.chooseApi(undefined)
  page = await load()
  await page.call()
  expect(tokenSent()).toBe('of this site')
  page.endSession('signedOut')
  page.chooseApi('production')
  page = await load()
  expect(page.getSessionToken()).toBe('of production')
})

test('production offers no other API, and one without an address is not chosen', async () => {
  tab.kept.set('mx.api', 'production')
  for (const site of [
    { ...QA, stage: 'production' },
    { stage: 'qa', chinaUrl: QA.chinaUrl },
  ])
    expect((await load(site)).apiTarget).toBeUndefined()
  expect((await load({ ...QA, stage: 'production' })).getTargetUrls()).toEqual({})
})
