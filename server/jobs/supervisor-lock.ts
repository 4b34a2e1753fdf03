/** The lock of the process that runs the jobs: any number, the same in every process of the service. */
export const supervisorLock = 7_121_965;
