import { expect, test } from 'vitest'
import { signAcs3Headers, formatAcs3Query } from './sign-acs3.ts'

const published = {
  host: 'ecs.cn-shanghai.aliyuncs.com',
  action: 'RunInstances',
  version: '2014-05-26',
  query: { RegionId: 'cn-shanghai', ImageId: 'win2019_1809_x64_dtc_zh-cn_40G_alibase_20230811.vhd' },
  accessKeyId: 'YourAccessKeyId',
  accessKeySecret: 'YourAccessKeySecret',
  nonce: '3156853299f313e23d1673dc12e1703d',
  now: new Date('2023-10-26T10:22:32Z'),
}

test("the vendor's published example has the vendor's published signature", () => {
  expect(signAcs3Headers(published)['authorization']).toBe(
    'ACS3-HMAC-SHA256 Credential=YourAccessKeyId,SignedHeaders=host;x-acs-action;x-acs-content-sha256;x-acs-date;x-acs-signature-nonce;x-acs-version,Signature=06563a9e1b43f5dfe96b81484da74bceab24a1d853912eee15083a6f0f3283c0',
  )
})

test('a query is escaped as RFC 3986 wants it and sorted by name', () => {
  expect(formatAcs3Query({ b: '{"code":"12 34"}', a: "!'()*~中" })).toBe('a=%21%27%28%29%2A~%E4%B8%AD&b=%7B%22code%22%3A%2212%2034%22%7D')
})
