/** A question, the fact that answers it, and answers labelled by hand: whether each passes. */
type Row = readonly [
  question: string,
  fact: string,
  passing: readonly string[],
  failing: readonly string[],
];

const rows: readonly Row[] = [
  [
    "How do I roll back a release?",
    "rollout undo",
    [
      "Run `kubectl rollout undo deployment/web`.",
      "Undo it: kubectl rollout undo, then watch the pods.",
    ],
    ["Delete the deployment and apply it again.", "You could try turning it off and on."],
  ],
  [
    "What does exit code 137 mean?",
    "SIGKILL",
    ["The process got SIGKILL, mostly for lack of memory.", "137 is 128 + 9: SIGKILL."],
    ["The process ended by itself, all is well.", "It means the image was not found."],
  ],
  [
    "Why does checkout crash?",
    "OOMKilled",
    [
      "It was OOMKilled at a limit of 512Mi.",
      "OOMKilled: the container needs more memory than its limit.",
    ],
    ["Its image cannot be pulled.", "I do not know, restart it."],
  ],
  [
    "Who approves a change in production?",
    "the lead",
    ["The lead approves it.", "Ask the lead of the team; the lead approves."],
    ["No one has to approve it.", "The customer approves each change."],
  ],
  [
    "How long are backups kept?",
    "30 days",
    ["Backups are kept for 30 days.", "30 days, then they are deleted."],
    ["Backups are kept for 7 days.", "For ever, nothing is deleted."],
  ],
  [
    "Which port does the database use?",
    "5432",
    ["It listens on 5432.", "Port 5432, inside the cluster only."],
    ["It listens on 3306.", "It uses the usual port."],
  ],
  [
    "When do we tell customers of an outage?",
    "15 minutes",
    ["Within 15 minutes, on the status page.", "After 15 minutes at the latest."],
    ["The next morning.", "Customers are never informed."],
  ],
  [
    "What is the limit of uploads?",
    "10 MB",
    ["10 MB for each file.", "A file may have 10 MB."],
    ["There is no limit.", "A file may have 1 GB."],
  ],
  [
    "How do I rotate the password?",
    "rotate-secret",
    ["Run the workflow rotate-secret.", "rotate-secret does it; then restart the pods."],
    ["Change it in the source code.", "Passwords cannot be changed."],
  ],
  [
    "Which region is the main one?",
    "eu-west-1",
    ["eu-west-1.", "The main region is eu-west-1, with a copy elsewhere."],
    ["us-east-1.", "All regions are equal."],
  ],
  [
    "What does a 502 mean?",
    "upstream",
    ["The upstream gave no valid answer.", "An upstream closed the connection."],
    ["The request was wrong.", "You have no rights."],
  ],
  [
    "How often does the job run?",
    "every hour",
    ["It runs every hour.", "every hour, at minute 5."],
    ["Once a month.", "Only by hand."],
  ],
  [
    "Which version is in production?",
    "5.3.1",
    ["5.3.1 since Monday.", "Version 5.3.1."],
    ["5.4.0-rc1.", "The newest one."],
  ],
  [
    "What stops the autoscaler?",
    "maxReplicas",
    ["It stops at maxReplicas.", "maxReplicas, which is 10 here."],
    ["It never stops.", "The weekend stops it."],
  ],
  [
    "How do I see the logs of the last crash?",
    "--previous",
    ["kubectl logs POD --previous.", "With --previous the logs of the container before."],
    ["They are lost.", "kubectl describe shows the whole log."],
  ],
  [
    "Why is the claim pending?",
    "fast-ssd",
    ["Its storage class fast-ssd does not exist.", "fast-ssd was not found."],
    ["The disk is full.", "It is not pending."],
  ],
  [
    "Which timeout is behind a 504?",
    "proxy_read_timeout",
    ["proxy_read_timeout of the ingress.", "The ingress gives up after proxy_read_timeout."],
    ["The timeout of the browser.", "There is no timeout."],
  ],
  [
    "Who is on call at night?",
    "platform team",
    ["The platform team.", "At night the platform team is on call."],
    ["No one is.", "The interns."],
  ],
  [
    "How do I drain a node?",
    "kubectl drain",
    ["kubectl drain NODE --ignore-daemonsets.", "Cordon it, then kubectl drain."],
    ["Switch it off.", "Delete all pods by hand, then wait."],
  ],
  [
    "What does CrashLoopBackOff mean?",
    "restarts",
    [
      "The container ends again and again, and restarts wait longer.",
      "Kubernetes waits between restarts of a container that keeps ending.",
    ],
    ["The container is healthy.", "The image has no tag."],
  ],
  [
    "How is TLS renewed?",
    "cert-manager",
    ["cert-manager renews it.", "By cert-manager, 30 days before the end."],
    ["By hand each year.", "Certificates do not end."],
  ],
  [
    "What is the error budget?",
    "0.1 %",
    ["0.1 % of requests a month.", "It is 0.1 %."],
    ["5 %.", "There is none."],
  ],
  [
    "Where are flags kept?",
    "flags.yaml",
    ["In flags.yaml of the service.", "flags.yaml, read at start."],
    ["In the database of the shop.", "Only in memory."],
  ],
  [
    "Which queue holds failed mails?",
    "mail-dlq",
    ["mail-dlq.", "They go to mail-dlq and are sent again."],
    ["They are dropped.", "The queue mail-in."],
  ],
  [
    "How much memory has checkout?",
    "768Mi",
    ["768Mi since the change.", "Its limit is 768Mi."],
    ["It has as much as it wants.", "Its limit is 2Gi."],
  ],
  // Answers that name the fact and are wrong all the same: a judge that looks for words alone misses them.
  [
    "Is 443 open to the internet?",
    "443",
    ["Yes, 443 is open.", "443 is, and nothing else."],
    ["No, 443 is closed to everyone.", "443 is open, and so is 22, without a password."],
  ],
];

/** At least 100 answers, each with its label. */
export const labelledAnswers = rows.flatMap(([query, fact, passing, failing]) => [
  ...passing.map((answer) => ({ query, fact, answer, passes: true })),
  ...failing.map((answer) => ({ query, fact, answer, passes: false })),
]);
