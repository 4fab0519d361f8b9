export { InvitationsPage } from './invitations-page.tsx'
export { InviteLanding } from './invite-landing.tsx'
