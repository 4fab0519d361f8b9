import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { LANGS } from '#platform/shared/texts.ts'
import { HELP_SLUGS } from '#features/site/help-articles.ts'
import { toArticlePath } from '#features/site/help/read.ts'
import { readFigure, QUOTED, type QuotedFigure } from '#features/site/quoted-figures.ts'
import { SITE_SVC_TEXT } from '#features/site/service-state-texts.ts'
import { siteServiceTexts } from '#features/site/service-texts.ts'
import { features } from '../features.ts'

const readDocument = (lang: string, name: string) => readFileSync(join(import.meta.dirname, `../../../features/site/legal/${lang}/${name}.md`), 'utf8')
const findQuotes = (text: string) => [...text.matchAll(/\{\{(\w+)\}\}/g)].map((match) => match[1]!)
const settings = features.flatMap((feature) => feature.settings ?? [])
const QUOTES: Readonly<Record<string, QuotedFigure>> = QUOTED
const collectQuotes = (names: readonly string[]) => new Set(names.flatMap((name) => QUOTES[name] ?? []))
const BESIDE = { zh: ['语音房间', '邀请', '提现'], en: ['Voice rooms', 'Invitations', 'Withdrawals'] }
/** Processors by kind, and personal data, that no setting names. */
const DATA = {
  zh: [
    '密码摘要',
    '证件照片',
    '刷脸',
    '卡号后四位',
    '流量',
    '邮件和附件',
    '短信验证码',
    '客服对话',
    'token 数',
    '模型厂商',
    '支付渠道',
    '发卡机构',
    '服务供应商',
  ],
  en: ['hash of your password', 'pictures of the document', 'Face check', 'last four digits', 'traffic', 'mails and files', 'codes it receives by SMS'],
}

describe.each(LANGS)('%s', (lang) => {
  test.each(['terms', 'protocol'])('%s names each service that is sold', (name) => {
    const text = readDocument(lang, name)
    const sold = [...Object.values(SITE_SVC_TEXT).map((key) => siteServiceTexts[lang][key]), ...BESIDE[lang]]
    expect(sold.filter((service) => !text.includes(service))).toEqual([])
  })
  test('the privacy policy names each service, and data that no setting names', () => {
    const text = readDocument(lang, 'privacy')
    const sold = Object.values(SITE_SVC_TEXT).map((key) => siteServiceTexts[lang][key])
    expect([...sold, ...DATA[lang]].filter((word) => !text.includes(word))).toEqual([])
  })
  test('every quoted name is a figure of a setting', () => {
    const articles = HELP_SLUGS.map((slug) => readFileSync(toArticlePath(lang, slug), 'utf8'))
    const names = [...['terms', 'privacy', 'protocol'].map((name) => readDocument(lang, name)), ...articles].flatMap(findQuotes)
    expect(names.filter((name) => !(name in QUOTED) && !['brand', 'company', 'email', 'origin', 'host'].includes(name))).toEqual([])
  })
})

const listMembers = ({ key, fallback }: { readonly key: string; readonly fallback: unknown }): { key: string; member: string }[] =>
  typeof fallback === 'object' && fallback !== null ? Object.keys(fallback).map((member) => ({ key, member })) : [{ key, member: '' }]

/** Each figure of a fee: the members of its setting's value, or '' for the value itself. */
const FEES = settings
  .filter(({ key }) => /^cards\.(prices|fees|angels|keep)$|^payments\.(fee_percent|dispute_fee|invoice_fee_|withdraw_keep)/.test(key))
  .flatMap(listMembers)
  // Not fees: the home country, whose purchases are not foreign, and the list of users.
  .filter(({ key, member }) => !(key === 'cards.fees' && member === 'home') && !(key === 'cards.angels' && member === 'users'))

test('the parts of the usual fee add up to it', () => {
  const of = (key: string) => settings.find((each) => each.key === key)!.fallback as Record<string, string>
  const { provider, own } = of('payments.fee_parts')
  expect(Number(provider) + Number(own)).toBe(Number(of('payments.fee_percent')['default']))
})

test('the list of fees is not empty', () => expect(FEES.length).toBeGreaterThan(15))

test.each(FEES)('the terms quote $key $member', ({ key, member }) => {
  for (const lang of LANGS) {
    const quoted = [...collectQuotes(findQuotes(readDocument(lang, 'terms')))].map(({ setting, path }) => `${setting} ${path?.[0] ?? ''}`)
    expect([lang, quoted]).toEqual([lang, expect.arrayContaining([`${key} ${member}`])])
  }
})

test.each(Object.entries(QUOTES))('%s is a figure of its setting', (_name, quoted) => {
  const entry = settings.find(({ key }) => key === quoted.setting)
  expect([quoted.setting, readFigure(entry?.fallback, quoted)]).toEqual([quoted.setting, expect.stringMatching(/^\d+(\.\d+)?$/)])
})

/** Settings that define a retention period. A new one is quoted in the privacy policy or excused here. */
const EXCUSED: Readonly<Record<string, string>> = {
  'notices.keepSandboxDays': 'of the sandbox alone',
  'services.lease_minutes': 'a task that a member of staff keeps, not data',
  'cards.keep': 'dollars that stay on a card',
  'payments.withdraw_keep': 'dollars that stay in the balance',
  'payments.withdraw_channel_first': 'a way of paying out, not data',
  'payments.auto_recharge': 'charges that are kept back, not data',
  'payments.channel_cost_percent': 'what a channel keeps of a payment',
  'upgrade.supplier': 'whom a task is left to',
}
const KEEPING = settings.filter(
  ({ key, about }) =>
    /keep|codeLive|session(Max)?Days$|photoDays|markDays|mailbox\.days/i.test(key) || /\b(is|are|stays?|was) (kept|deleted|forgotten|sealed)\b/i.test(about),
)

test('the list of retention times is not empty', () => expect(KEEPING.length).toBeGreaterThan(10))

test.each(KEEPING.filter(({ key }) => !(key in EXCUSED)).map(({ key }) => key))('the privacy policy quotes %s', (key) => {
  for (const lang of LANGS)
    expect([lang, [...collectQuotes(findQuotes(readDocument(lang, 'privacy')))].map(({ setting }) => setting)]).toEqual([lang, expect.arrayContaining([key])])
})
