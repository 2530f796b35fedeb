import { useChat } from "@ai-sdk/react";
import { DefaultChatTransport, lastAssistantMessageIsCompleteWithApprovalResponses } from "ai";
import { useState } from "react";
import { createRoot } from "react-dom/client";
import "./chat.css";

const transport = new DefaultChatTransport({ api: "/ask/ui-messages" });
const examples = ["How do I restart billing?", "Restart billing now!"];

function Chat() {
  const chat = useChat({
    transport,
    sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses,
  });
  const { messages, sendMessage, status, stop, error, addToolApprovalResponse } = chat;
  const [question, setQuestion] = useState("");
  const isBusy = status === "submitted" || status === "streaming";

  function ask(event) {
    event.preventDefault();
    const text = question.trim();
    if (text === "" || isBusy) return;
    void sendMessage({ text });
    setQuestion("");
  }

  return (
    <main>
      <h1>Ask the mesh</h1>
      <ol className="messages" aria-live="polite">
        {messages.map((message) => (
          <li key={message.id} className={message.role}>
            <Message message={message} onDecide={addToolApprovalResponse} />
          </li>
        ))}
      </ol>
      {error && <p role="alert">{error.message}</p>}
      {messages.length === 0 && (
        <p className="examples">
          {examples.map((text) => (
            <button key={text} type="button" onClick={() => sendMessage({ text })}>
              {text}
            </button>
          ))}
        </p>
      )}
      <form onSubmit={ask}>
        <input
          aria-label="Question"
          placeholder="Ask about billing"
          value={question}
          onChange={(event) => setQuestion(event.target.value)}
        />
        {isBusy ? (
          <button type="button" onClick={stop}>
            Stop
          </button>
        ) : (
          <button type="submit">Ask</button>
        )}
      </form>
    </main>
  );
}

/** The parts of a message: hops, text, what waits for the reader, sources. */
function Message({ message, onDecide }) {
  const { parts } = message;
  const hops = parts.filter(({ type }) => type === "data-hop");
  const sources = parts.filter(({ type }) => type.startsWith("source-"));
  return (
    <>
      {hops.length > 0 && (
        <ul className="hops">
          {hops.map(({ id, data }) => (
            <li key={id} className={data.state} title={data.reason}>
              {data.to}
              <span>{data.progress ?? data.state}</span>
            </li>
          ))}
        </ul>
      )}
      {parts.map((part, index) => {
        const key = `${part.type}-${index}`;
        if (part.type === "text") return <p key={key}>{part.text}</p>;
        if (part.type === "dynamic-tool") {
          return <Approval key={key} part={part} onDecide={onDecide} />;
        }
        return null;
      })}
      {sources.length > 0 && (
        <ul className="sources" aria-label="Sources">
          {sources.map(({ sourceId, url, title }) => (
            <li key={sourceId}>
              {url ? (
                <a href={url} target="_blank" rel="noreferrer">
                  {title}
                </a>
              ) : (
                title
              )}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

/** Something that the run waits for. */
function Approval({ part, onDecide }) {
  const { input, state, approval } = part;
  const decide = (approved) => onDecide({ id: approval.id, approved });
  return (
    <section className="approval">
      <strong>{input.what}</strong>
      {input.why && <span>{input.why}</span>}
      {input.data && <code>{JSON.stringify(input.data)}</code>}
      {state === "approval-requested" ? (
        <div>
          <button type="button" onClick={() => decide(true)}>
            Approve
          </button>
          <button type="button" onClick={() => decide(false)}>
            Refuse
          </button>
        </div>
      ) : (
        <em>
          {state === "output-denied" || approval?.approved === false ? "refused" : "approved"}
        </em>
      )}
    </section>
  );
}

createRoot(document.getElementById("root")).render(<Chat />);
