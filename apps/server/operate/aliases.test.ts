import { expect, test } from 'vitest'
import { Failure } from '#platform/shared/errors.ts'
import { features } from '../features.ts'
import { resolveAlias, parseCommandLine } from './aliases.ts'

const commands = new Map(features.flatMap((feature) => (feature.commands ?? []).map((command) => [command.name, command] as const)))
const runAlias = (alias: string, ...words: string[]) => {
  const { name, input } = resolveAlias(alias, words)
  return [name, input]
}

test('every old command maps to a current one, with an input that it accepts', () => {
  const order = 'R20261121-0000000000AA'
  const lines: [string, ...string[]][] = [
    ['account:freeze', 'wang@example.com'],
    ['account:thaw', '+8613800138000'],
    ['account:freeze', 'wang@example.com', '--scope', 'money_out,calls'],
    ['account:thaw', 'wang@example.com', '--scope', 'calls'],
    ['payments:order', 'repair', order],
    ['payments:order', 'refund', order, '--amount', '5.00', '--with-fee'],
    ['payments:order', 'refund', order],
    ['payments:order', 'approve', order],
    ['payments:order', 'reject', order],
    ['payments:order', 'fault', '17', '--approve'],
    ['payments:withdrawals', 'approve', 'W1'],
    ['payments:withdrawals', 'reject', 'W1'],
    ['payments:withdrawals', 'recheck', 'W1'],
    ['payments:withdrawals', 'hold', 'W1'],
    ['payments:withdrawals', 'hold', 'W1', '--days', '3'],
    ['payments:withdrawals', 'release', 'W1'],
    ['identity:review', 'approve', 'usr_1'],
    ['identity:review', 'reject', 'wang@example.com'],
    ['invitations:review', 'hold', 'usr_1'],
    ['invitations:review', 'release', 'usr_1'],
    ['invitations:review', 'refuse', 'usr_1'],
    ['support:answer', '--conversation', 'c', '--text', 'Good day'],
    ['support:answer', '--conversation', 'c', '--close'],
    ['support:answer', '--conversation', 'c', '--snooze', '2099-01-01T02:00:00Z'],
    ['support:answer', '--conversation', 'c', '--snooze', 'off'],
    ['support:answer', '--conversation', 'c', '--priority', 'urgent'],
    ['gateway:routes', 'retire-key', 'one'],
    ['gateway:routes', 'test', 'one', 'gpt-4o'],
    ['gateway:routes', 'drain', 'one'],
    ['gateway:routes', 'activate', 'one'],
    ['gateway:routes', 'off', 'one'],
    ['gateway:routes', 'upstream', 'one', '--vendor', 'openai', '--concurrent', 'none', '--bills-after-abort', 'yes'],
    ['gateway:routes', 'add', 'one', 'gpt-4o', '--weight', '300', '--cost', '87.5', '--dialects', 'all'],
    ['gateway:routes', 'weight', 'one', 'gpt-4o', '7'],
    ['gateway:routes', 'remove', 'one', 'gpt-4o'],
    ['gateway:routes', 'cheapest', 'on'],
  ]
  for (const [alias, ...words] of lines) {
    const { name, input, reason } = resolveAlias(alias, [...words, '--reason', ' because of this '])
    expect([alias, ...words, commands.get(name)?.input.safeParse(input).error?.message]).toEqual([alias, ...words, undefined])
    expect(reason).toBe('because of this')
  }
})

test('options become the fields of the command', () => {
  expect(runAlias('payments:order', 'refund', 'R1', '--amount', '5.00')).toEqual(['order.refund', { orderNo: 'R1', amount: '5.00', withFee: false }])
  expect(runAlias('gateway:routes', 'upstream', 'one', '--base-url', 'https://a.example/', '--concurrent', 'none', '--bills-after-abort', 'yes')).toEqual([
    'upstream.change',
    { upstreamId: 'one', baseUrl: 'https://a.example', concurrent: null, billsAfterAbort: true },
  ])
  expect(runAlias('gateway:routes', 'add', 'one', 'm', '--cost', '87.5', '--dialects', 'openai-chat,openai-responses')).toEqual([
    'route.change',
    { upstreamId: 'one', models: ['m'], costBp: 8750, dialects: ['openai-chat', 'openai-responses'] },
  ])
  expect(commands.get('route.change')!.input.safeParse(runAlias('gateway:routes', 'add', 'one', 'm', '--cost', '1,5')[1]).success).toBe(false)
  for (const words of [['payments:order', 'pay', 'R1'], ['payments:withdrawals', 'paid', 'W1'], ['wallet:set']] as const)
    expect(() => resolveAlias(words[0], words.slice(1))).toThrow(Failure)
})

test('options of a command are read as JSON where they look like JSON, as text otherwise', () => {
  expect(
    parseCommandLine(['setting.change', '--key', 'payments.maintenance', '--value', '{"isMaintain":true}', '--reason', 'a night of work', '--preview']),
  ).toEqual({
    ...{ name: 'setting.change', input: { key: 'payments.maintenance', value: { isMaintain: true } } },
    ...{ reason: 'a night of work', code: 'customerAsked', breakGlass: undefined, previewOnly: true },
  })
  expect(parseCommandLine(['credit.grant', '--amount', '5.00', '--days', '=30', '--on', 'true', '--odd', '{x'])['input']).toEqual({
    ...{ amount: '5.00', days: 30, on: true, odd: '{x' },
  })
})
