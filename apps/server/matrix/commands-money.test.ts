import { expect, test } from 'vitest'
import { collectCommands } from '#platform/server/feature.ts'
import { features } from '../features.ts'

test('each money command declares how it moves money, and a counted one has an amount', () => {
  const about = ['payments.refund', 'payments.decide', 'payments.repair', 'withdrawals.decide', 'customers.grant', 'invoices.decide']
  const commands = [...collectCommands(features).values()]
  expect(commands.filter(({ permission, money }) => about.includes(permission) && money === undefined).map(({ name }) => name)).toEqual([])
  const counted = commands.filter(({ money }) => money === 'counted')
  expect(counted.filter(({ weigh }) => !weigh).map(({ name }) => name)).toEqual([])
  for (const name of [
    'service.return',
    'service.finish',
    'withdrawal.approve',
    'withdrawal.release',
    'order.refund',
    'order.approve',
    'credit.grant',
    'compensation.run',
    'reward.release',
  ])
    expect(counted.map((command) => command.name)).toContain(name)
})
