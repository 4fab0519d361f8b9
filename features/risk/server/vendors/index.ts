import { aliyun } from './aliyun/index.ts'
import { altcha } from './altcha/index.ts'
import type { CaptchaVendor } from './port.ts'
import { slide } from './slide/index.ts'

/** Every captcha; the test suite of the port runs over each. */
export const captchaVendors: readonly CaptchaVendor[] = [altcha, slide, aliyun]
