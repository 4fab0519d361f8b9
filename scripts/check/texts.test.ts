import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { checkJoined, checkRepeated, checkRoom, checkTexts, checkUse, readRooms } from './texts.ts'
import type { TextMessages, MessageRoom } from './texts.ts'

const room = (zh: TextMessages, en: TextMessages, more: Partial<MessageRoom> = {}): MessageRoom => ({
  path: 'features/x/messages',
  texts: { zh, en },
  source: '',
  server: '',
  ...more,
})

describe('texts in all languages', () => {
  test('a good room has no problem', () => {
    expect(checkRoom(room({ pay: '支付 {amount}', brand: 'OpenAI', lang: '中文' }, { pay: 'Pay {amount}', brand: 'OpenAI', lang: '中文' }))).toEqual([])
  })

  test.each([
    ['a key that a language lacks', { a: '甲', b: '乙' }, { a: 'A' }, 'b: has no text in en'],
    ['a key that the first language lacks', { a: '甲' }, { a: 'A', b: 'B' }, 'b: has no text in zh'],
    ['an empty text', { a: ' ' }, { a: 'A' }, 'a: is empty in zh'],
    ['other placeholders', { a: '共 {n} 条' }, { a: '{total} rows' }, 'placeholders differ'],
    ['a placeholder lost', { a: '共 {n} 条' }, { a: 'Rows' }, 'placeholders differ'],
    ['Chinese in English', { a: '余额' }, { a: 'Balance 余额' }, 'Chinese characters in en'],
    ['full-width punctuation in English', { a: '余额' }, { a: 'Balance，total' }, 'Chinese characters in en'],
    ['English in Chinese', { a: 'Your balance is low' }, { a: 'Your balance is low' }, 'not translated'],
  ])('%s is refused', (_, zh, en, problem) => {
    expect(checkRoom(room(zh as TextMessages, en as TextMessages)).join()).toContain(problem)
  })

  test('a key that stands twice in a file is refused', () => {
    expect(checkRepeated('x/zh.json', '{\n  "a": "甲",\n  "b": "乙",\n  "a": "丙"\n}')).toEqual(['x/zh.json: a: stands twice'])
  })
})

describe('texts that the server joins', () => {
  const wallet = room({ error_LOW: '余额不足', title: '钱包' }, { error_LOW: 'Low', title: 'Wallet' }, { path: 'features/wallet/messages' })
  test('an error with other words elsewhere is refused', () => {
    expect(checkJoined([wallet, room({ error_LOW: '不够' }, { error_LOW: 'Low' })]).join()).toContain('error_LOW')
  })
  test('a key that the server speaks must be alone; pages may share names', () => {
    const other = room({ title: '订单' }, { title: 'Orders' })
    expect(checkJoined([wallet, other])).toEqual([])
    expect(checkJoined([wallet, { ...other, server: `speak(lang, 'title')` }]).join()).toContain('title')
  })
})

describe('texts and the code that uses them', () => {
  test('a key without a text is refused, and so is an unused one', () => {
    const rooms = [room({ pay: '支付', idle: '闲' }, { pay: 'Pay', idle: 'Idle' }, { source: `t('pay') + t('gone', { n })` })]
    const gone = `features/x/messages: t('gone') has no text`
    expect(checkUse(rooms)).toEqual([gone, 'features/x/messages: idle: unused'])
    for (const elsewhere of [`t('idle')`, 'frameTexts.idle']) expect(checkUse(rooms, `t('pay'); ${elsewhere}`)).toEqual([gone])
  })
  test('errors by name and words of an open vocabulary are used', () => {
    const zh = { error_LOW: '低', state_paid: '已付' }
    expect(checkUse([room(zh, zh, { source: "LOW: { code: 1 }; createTextLookup(cardTexts, 'state_')" })])).toEqual([])
  })
  test('a key that is built from parts counts as unused', () => {
    const zh = { state_paid: '已付' }
    for (const source of ['t(`state_${state}`)', "t('state_' + state)"])
      expect(checkUse([room(zh, zh, { source })])).toContain('features/x/messages: state_paid: unused')
  })
})

describe('the rooms of a tree', () => {
  const tree = mkdtempSync(join(tmpdir(), 'mingxi-texts-'))
  afterAll(() => rmSync(tree, { recursive: true, force: true }))
  const write = (file: string, text: string) => {
    mkdirSync(dirname(join(tree, file)), { recursive: true })
    writeFileSync(join(tree, file), text)
  }
  write('features/cards/messages/zh.json', '{ "title": "卡", "state_on": "开" }')
  write('features/cards/messages/en.json', '{ "title": "Card" }')
  write('features/cards/messages/legal.zh.json', '{ "legal_1": "条款" }')
  write('features/cards/messages/legal.en.json', '{ "legal_1": "Terms" }')
  write('features/cards/web/index.tsx', "t('title'); createTextLookup(cardTexts, 'state_'); t('legal_1'); t('lost')")
  write('features/cards/server/index.ts', "speak('zh', 'title')")
  write('features/notices/web/index.tsx', "t('elsewhere')")

  test('each catalogue is found with the code of its own room', () => {
    const rooms = readRooms(tree)
    expect(rooms.map((one) => one.path)).toEqual(['features/cards/messages', 'features/cards/messages/legal'])
    expect(rooms[0]).toMatchObject({ texts: { zh: { title: '卡' } }, server: "speak('zh', 'title')" })
    expect(rooms.every((one) => one.source.includes('state_') && !one.source.includes('elsewhere'))).toBe(true)
  })
  test('its faults are found', () => {
    expect(checkTexts(tree)).toEqual([
      'features/cards/messages: state_on: has no text in en',
      "features/cards/messages: t('lost') has no text",
      "features/cards/messages/legal: t('lost') has no text",
    ])
  })
})
