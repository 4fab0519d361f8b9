import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { afterEach, expect, test, vi } from 'vitest'
import type { ApiTarget } from '#platform/web/state/api-target.ts'

const api = vi.hoisted(() => ({
  urls: {} as Partial<Record<string, string>>,
  target: undefined as string | undefined,
  chosen: [] as (string | undefined)[],
  offered: undefined as undefined | { items: { value: string; label: string }[]; value: string; onChange: (value: string) => void },
}))
vi.mock('#platform/web/state/api-target.ts', () => ({
  API_TARGETS: ['production', 'china'],
  get apiTarget() {
    return api.target
  },
  getTargetUrls: () => api.urls,
  chooseApi: (target: ApiTarget | undefined) => void api.chosen.push(target),
}))
vi.mock('#ui/fields/segmented.tsx', () => ({ Segmented: (props: NonNullable<typeof api.offered>) => ((api.offered = props), null) }))
const { ApiChoice } = await import('./api-choice.tsx')

afterEach(() => Object.assign(api, { urls: {}, target: undefined, chosen: [], offered: undefined }))
const draw = () => renderToStaticMarkup(createElement(ApiChoice))

test('the panel offers the API of each site that is set, and a press chooses it', () => {
  api.urls = { production: 'https://mingxi.example', china: 'https://mingxi.example.cn' }
  expect(draw()).not.toContain('mingxi.example')
  expect([api.offered!.value, api.offered!.items.map(({ label }) => label)]).toEqual(['own', ['本站', '生产环境', '中国域名']])
  for (const { value } of api.offered!.items) api.offered!.onChange(value)
  expect(api.chosen).toEqual([undefined, 'production', 'china'])
})

test('the panel names the other site that receives the calls', () => {
  api.urls = { production: 'https://mingxi.example' }
  api.target = 'production'
  expect(draw()).toContain('mingxi.example')
  expect([api.offered!.value, api.offered!.items.map(({ value }) => value)]).toEqual(['production', ['own', 'production']])
})

test('without another site the panel names the settings', () => {
  expect(draw()).toContain('PRODUCTION_URL')
  expect(api.offered).toBeUndefined()
})
