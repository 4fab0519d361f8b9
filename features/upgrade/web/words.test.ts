import { expect, test } from 'vitest'
import { EMPTY_UPGRADE, resetForService, findFirstIncompleteStep, resolveUpgradeService, resolveUpgradeStep } from './words.ts'

test('a returning member continues at the first step that is not done', () => {
  const plus = { ...EMPTY_UPGRADE, plan: 'chatgpt-plus' }
  expect(findFirstIncompleteStep(EMPTY_UPGRADE)).toBe('service')
  expect(findFirstIncompleteStep({ ...EMPTY_UPGRADE, plan: 'gone' })).toBe('service')
  expect(findFirstIncompleteStep({ ...plus, plan: 'chatgpt-team-month' })).toBe('plan')
  expect(findFirstIncompleteStep(plus)).toBe('account')
  expect(findFirstIncompleteStep({ ...plus, account: 'wang@outlook.com' })).toBe('account')
  expect(findFirstIncompleteStep({ ...plus, account: 'wang@fastmail.com' })).toBe('open')
  expect(findFirstIncompleteStep({ ...plus, account: 'wang@fastmail.com', link: 'https://pay.openai.com/' })).toBe('pay')
})

test('a reloaded page stays at its step, and never at one that is not reached', () => {
  const plus = { ...EMPTY_UPGRADE, plan: 'chatgpt-plus' }
  const named = { ...plus, account: 'wang@fastmail.com' }
  expect(resolveUpgradeStep({ step: 'link' }, named)).toBe('link')
  expect(resolveUpgradeStep({ step: 'plan' }, EMPTY_UPGRADE)).toBe('plan')
  expect(resolveUpgradeStep({ step: 'notice' }, plus)).toBe('notice')
  expect(resolveUpgradeStep({ step: 'account' }, { ...named, link: 'https://pay.openai.com/' })).toBe('account')
  expect(resolveUpgradeStep({ step: 'pay' }, named)).toBe('open')
  expect(resolveUpgradeStep({ step: 'link' }, plus)).toBe('account')
  expect(resolveUpgradeStep({ step: 'notice' }, EMPTY_UPGRADE)).toBe('service')
  for (const step of [undefined, 'wait', 'result', 'constructor', '3']) expect(resolveUpgradeStep({ step }, named)).toBe('open')
})

test('the service in the address applies until a plan is kept, and takes only the account of another one along', () => {
  const plus = { ...EMPTY_UPGRADE, plan: 'chatgpt-plus', account: 'wang@fastmail.com', link: 'https://pay.openai.com/' }
  expect(resolveUpgradeService({}, EMPTY_UPGRADE)).toBe('chatgpt')
  expect(resolveUpgradeService({ service: 'cursor' }, EMPTY_UPGRADE)).toBe('cursor')
  expect(resolveUpgradeService({ service: 'nonsense' }, plus)).toBe('chatgpt')
  expect(resetForService('cursor', plus)).toEqual({ ...EMPTY_UPGRADE, account: 'wang@fastmail.com' })
  expect(resetForService('chatgpt', plus)).toBe(plus)
})
