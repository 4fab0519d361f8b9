export { CaptchaHost } from './captcha-host.tsx'
