export { PayNoticePage } from './pay-notice.tsx'
export { PayServicePage } from './pay-service.tsx'
