import { expect, test } from 'vitest'
import { parseCommandLine } from './command-line.ts'

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
