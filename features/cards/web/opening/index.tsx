export { OpeningPage } from './opening-page.tsx'
export { FaceRedirectPage, FaceResultPage } from './face-result.tsx'
