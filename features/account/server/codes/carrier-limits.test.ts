import { expect, test } from 'vitest'
import { ALIYUN_SMS_RULES } from '#stand-ins/aliyun/rules.ts'
import { codeResendSeconds, codesPerTargetDay, codesPerTargetHour } from '../settings.ts'

test('no more codes go to one number than Aliyun sends', () => {
  const { minute, hour, day } = ALIYUN_SMS_RULES.codesPerNumber
  expect(60 / codeResendSeconds.fallback).toBeLessThanOrEqual(minute)
  expect(codesPerTargetHour.fallback).toBeLessThanOrEqual(hour)
  expect(codesPerTargetDay.fallback).toBeLessThanOrEqual(day)
})
