export { MenuSheet } from './menu-sheet.tsx'
export { ServicesPanel } from './services-panel.tsx'
