import { expect, test } from 'vitest'
import { ALIYUN_SMS_RULES } from '#stand-ins/aliyun/rules.ts'
import { codeResendSeconds, codesPerTargetDay, codesPerTargetHour } from '../settings.ts'

// Ours count for one purpose, and for known requesters apart from others: together they can still reach Aliyun's.
test('the limits of codes to one number are not above those of Aliyun', () => {
  const { minute, hour, day } = ALIYUN_SMS_RULES.codesPerNumber
  expect(60 / codeResendSeconds.fallback).toBeLessThanOrEqual(minute)
  expect(codesPerTargetHour.fallback).toBeLessThanOrEqual(hour)
  expect(codesPerTargetDay.fallback).toBeLessThanOrEqual(day)
})
