import { expect, test } from 'vitest'
import { detectInApp, toShareablePath } from './outside.ts'

const IPHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)'

test('in-app browsers are recognised by their user agent, and not confused with a browser of the same vendor', () => {
  expect(detectInApp(`${IPHONE} Mobile/15E148 MicroMessenger/8.0.50(0x18003230) NetType/WIFI`)).toBe('wechat')
  expect(detectInApp(`${IPHONE} Mobile/15E148 QQ/9.0.60.614 V1_IPH_SQ`)).toBe('qq')
  expect(detectInApp(`${IPHONE} Weibo (iPhone15,2__weibo__14.5.0__iphone__os17.4)`)).toBe('weibo')
  expect(detectInApp(`${IPHONE} ChannelId(8) NebulaSDK AlipayClient/10.5.90`)).toBe('alipay')
  expect(detectInApp(`${IPHONE} AliApp(DingTalk/7.5.20) com.laiwang.DingTalk`)).toBe('dingtalk')
  expect(detectInApp(`${IPHONE} Version/17.4 Mobile/15E148 Safari/604.1`)).toBeUndefined()
  expect(detectInApp('Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 Chrome/99 MQQBrowser/14.5 Mobile Safari/537.36')).toBeUndefined()
})

test('a shareable link keeps the page and drops tokens and passwords', () => {
  expect(toShareablePath('/api?tab=view&accessToken=a&token=b&payPassword=c&orderNo=1')).toBe('/api?tab=view&orderNo=1')
  expect(toShareablePath('/login?redirect=%2Fapi')).toBe('/login?redirect=%2Fapi')
  expect(toShareablePath('//evil.example/x')).toBe('/')
})
