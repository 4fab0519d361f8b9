import { strFromU8 } from 'fflate'
import { expect, test } from 'vitest'
import { buildExtensionFiles } from './serve-extension.ts'

const files = buildExtensionFiles({ url: 'https://site.example', brandZh: '明细', brandEn: 'Mingxi' })
const manifest = JSON.parse(strFromU8(files['manifest.json']!)) as {
  readonly background: { readonly service_worker: string }
  readonly action: { readonly default_popup: string; readonly default_icon: Readonly<Record<string, string>> }
  readonly icons: Readonly<Record<string, string>>
  readonly permissions: readonly string[]
}

test('everything that the manifest and the scripts name is in the extension', () => {
  const named = [
    manifest.background.service_worker,
    manifest.action.default_popup,
    ...Object.values(manifest.icons),
    ...Object.values(manifest.action.default_icon),
  ]
  const scripts = Object.keys(files).filter((name) => name.endsWith('.js'))
  const imported = scripts.flatMap((name) => [...strFromU8(files[name]!).matchAll(/from '\.\/([^']+)'/g)].map((match) => match[1]!))
  expect([...named, ...imported].filter((name) => !(name in files))).toEqual([])
  expect(Object.keys(files).filter((name) => name.endsWith('.ts'))).toEqual([])
  expect(JSON.parse(strFromU8(files['site.json']!))).toEqual({ url: 'https://site.example', brandZh: '明细', brandEn: 'Mingxi' })
})

test('both languages have the same keys, and the scripts use exactly these', () => {
  const [zh, en] = ['zh_CN', 'en'].map((lang) => Object.keys(JSON.parse(strFromU8(files[`_locales/${lang}/messages.json`]!)) as object))
  expect(zh).toEqual(en)
  const asked = [...`${strFromU8(files['popup.js']!)}${strFromU8(files['site.js']!)}`.matchAll(/get(?:Text|Message)\((?:isOn \? '(\w+)' : )?'(\w+)'/g)].flatMap(
    (match) => [match[1], match[2]].filter(Boolean),
  )
  expect(asked.filter((key) => !zh!.includes(key!))).toEqual([])
  expect(zh!.filter((key) => !['name', 'about', ...asked].includes(key))).toEqual([])
})
