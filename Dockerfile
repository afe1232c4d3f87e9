# docker build -t rulewright . && docker run --rm -it -v "$PWD:/games" rulewright solve overboard
FROM python:3.12-slim
COPY . /src
RUN pip install --no-cache-dir /src && rm -rf /src && useradd --create-home player
USER player
WORKDIR /games
ENTRYPOINT ["rulewright"]
