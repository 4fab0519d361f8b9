/** What the shell may draw; each page is a chunk of its own. This file is part of every page's first load: loaders only. */
export const loadInvitations = () => import('./invitations-page.tsx')
export const loadInviteLanding = () => import('./invite-landing.tsx')
