import type { SupplierPort } from '#platform/server/suppliers/ports.ts'
import { aliyun } from './aliyun/index.ts'
import { altcha } from './altcha/index.ts'
import type { CaptchaVendor } from './port.ts'
import { slide } from './slide/index.ts'

/** All captchas; the port's test suite runs against each. */
export const captchaVendors: readonly CaptchaVendor[] = [altcha, slide, aliyun]

export const captchaPort = {
  port: 'risk.captcha',
  operations: { verify: 'read' },
  vendors: captchaVendors.map(({ id }) => id),
} as const satisfies SupplierPort
