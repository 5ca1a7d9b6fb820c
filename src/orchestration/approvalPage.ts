/** The page on which buyers approve payments of the sandbox. */
export const sandboxApprovalPath = '/orchestration/sandbox/approval';
